// Decibels that bring the programs to one loudness, measured through FluidSynth with a phrase at velocity 80.

/// By program; added to the level of each of its layers.
let programLevels: [Double] = [Double](repeating: 0, count: 128)
