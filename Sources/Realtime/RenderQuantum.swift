/// The engine renders in blocks of this many frames.
///
/// FluidSynth applies events only on its own 64-frame grid, and control-rate work is done once a quantum: 1.33 ms at
/// 48 kHz. A slice that is no multiple of it is served from what the last quantum left over.
@_transparent public var renderQuantum: Int { 64 }
