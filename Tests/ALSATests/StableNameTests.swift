import SynthALSA
import Testing

@Test(
  "However a device of a card is asked for, it has one lasting name; other devices keep theirs",
  arguments: [
    ("hw:CARD=B,DEV=0", "hw:CARD=B,DEV=0"), ("hw:B,0", "hw:CARD=B,DEV=0"), ("hw:B", "hw:CARD=B,DEV=0"),
    ("hw:CARD=B", "hw:CARD=B,DEV=0"), ("plughw:B,3", "plughw:CARD=B,DEV=3"), ("default", "default"),
    ("hw:B,1,2", "hw:CARD=B,DEV=1,SUBDEV=2"), ("sysdefault:CARD=B", "sysdefault:CARD=B"), ("hw:", "hw:"),
  ])
func lastingNames(asked: String, lasting: String) {
  #expect(PCMRequest.stableName(of: asked) == lasting)
}
