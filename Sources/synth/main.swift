print("synth")
