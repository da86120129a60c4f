import Realtime

/// The render side of sources and sinks: a callback with a bus of its node.
struct CallbackKernel {
  let function: RenderFunction
  let context: UnsafeMutableRawPointer

  init(_ callback: RenderCallback) {
    function = callback.function
    context = callback.context
  }

  @_noLocks
  func render(_ renderContext: RenderContext, _ buffers: Bus) {
    var request = RenderRequest(renderContext, buffers)
    withUnsafeMutablePointer(to: &request) { call(function, context, UnsafeMutableRawPointer($0)) }
  }

  static let sourceEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    state.assumingMemoryBound(to: CallbackKernel.self).pointee.render(context, context.output(0))
  }

  static let sinkEntry: RenderFunction = { state, context in
    let context = context.assumingMemoryBound(to: RenderContext.self).pointee
    state.assumingMemoryBound(to: CallbackKernel.self).pointee.render(context, context.input(0))
  }
}
