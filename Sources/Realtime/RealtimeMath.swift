import CRealtime

/// Copies samples between places that do not overlap. [any thread] (memcpy)
@_noLocks
@inlinable public func copySamples(
  from source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
) {
  realtime_copy(destination, source, count)
}

/// The square root of a number that is not negative. [any thread]
@_noLocks
@inlinable public func squareRoot(_ value: Float) -> Float { realtime_square_root(value) }
