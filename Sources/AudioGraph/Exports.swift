// What nodes and kernels are written with comes along with `import AudioGraph`.
@_exported import SynthDSP
@_exported import SynthRealtime
