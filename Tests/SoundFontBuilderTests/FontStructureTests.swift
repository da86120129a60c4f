@testable import SoundFontSynthesis
