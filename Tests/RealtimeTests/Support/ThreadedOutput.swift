import AudioGraph
import Glibc
import Synchronization
import SynthRealtime

/// An output unit with a thread that asks for slices as fast as it can, of 1 to 200 frames.
final class ThreadedOutput: OutputUnit {
  let name = "threaded output"
  let sampleRate = 48000.0
  let channelCount = 2
  let latency = OutputLatency(period: 200, buffer: 200)
  private let isStopping = Atomic<Bool>(false)
  private let thread = Mutex<RunningThread?>(nil)

  private let hasThread = Atomic<Bool>(false)

  var isRunning: Bool { hasThread.load(ordering: .acquiring) }

  func start(_ callback: @escaping RenderFunction, context: UnsafeMutableRawPointer) throws {
    let context = Context(address: context)
    isStopping.store(false, ordering: .releasing)
    hasThread.store(true, ordering: .releasing)
    thread.withLock { thread in
      thread = RunningThread { [self] in
        let buffer = SampleBuffer(channelCount: 2, frameCapacity: 200)
        var size = 1
        while !isStopping.load(ordering: .acquiring) {
          var slice = buffer.slice(frameCount: size)
          callback(context.address, &slice)
          size = size % 200 + 1
        }
      }
    }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    hasThread.store(false, ordering: .releasing)
  }

  private struct Context: @unchecked Sendable {
    let address: UnsafeMutableRawPointer
  }
}
