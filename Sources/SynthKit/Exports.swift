// `import SynthKit` is all that a program needs: what its declarations are made of comes with it.
@_exported import AudioGraph
@_exported import SynthALSA
@_exported import SynthAudioFiles
@_exported import SynthFluidSynth
@_exported import SynthInstruments
@_exported import SynthJACK
@_exported import SynthLoudness
@_exported import SynthMIDI
@_exported import SynthSoundFonts
