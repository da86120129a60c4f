# What people and CI type. `make demo` hears it work, `make test` proves it.

PREFIX ?= /usr/local
DEMO_SONG ?= /usr/share/games/openttd/baseset/openmsx/busy_schedule.mid
SYNTH := .build/release/synth

# Debian packages: what the program is built from, what it is measured beside, and what the demo and the tests play with.
PACKAGES := libasound2-dev libfluidsynth-dev libsamplerate0-dev libsndfile1-dev libsystemd-dev
BENCH_PACKAGES := amsynth ffmpeg fluid-soundfont-gm valgrind zynaddsubfx-vst
TEST_PACKAGES := alsa-utils fluidsynth graphviz openttd-openmsx timgm6mb-soundfont sox

.PHONY: build demo demo-sounds test test-guest fuzz bench soundfont deps test-deps install uninstall format lint clean

build: deps
	swift build -c release --product synth

demo: build test-deps
	@mkdir -p out
	$(SYNTH) render $(DEMO_SONG) --preset pop -o out/demo.wav
	@ls -l out/demo.wav
	@if [ -e /dev/snd/timer ]; then $(SYNTH) $(DEMO_SONG) --preset pop; \
	else echo "No sound device here: listen to out/demo.wav elsewhere."; fi

# Every oscillator instrument and every preset, for a person to hear, with a table of their levels.
demo-sounds: build test-deps
	Examples/sounds $(SYNTH) $(DEMO_SONG) out/sounds

test: deps test-deps
	Tests/run

test-guest: build test-deps
	Tests/guest/run

fuzz:
	Tests/Fuzz/fuzz

bench: build test-deps
	@Tests/install-packages $(BENCH_PACKAGES)
	Benchmarks/measure
	Benchmarks/compare
	Benchmarks/start
	Benchmarks/equalizer
	Benchmarks/reverb
	Benchmarks/voices

# The built-in font, from its generator.
soundfont:
	swift run -c release soundfont-builder soundfonts/synth-gm.sf2

deps:
	@Tests/install-packages $(PACKAGES)

test-deps:
	@Tests/install-packages $(TEST_PACKAGES)

install: build
	install -D -m 755 $(SYNTH) $(DESTDIR)$(PREFIX)/bin/synth
	install -d $(DESTDIR)$(PREFIX)/share/synth/presets/instruments $(DESTDIR)$(PREFIX)/share/synth/soundfonts
	install -m 644 presets/*.json $(DESTDIR)$(PREFIX)/share/synth/presets
	install -m 644 presets/instruments/*.json $(DESTDIR)$(PREFIX)/share/synth/presets/instruments
	install -m 644 soundfonts/*.sf2 $(DESTDIR)$(PREFIX)/share/synth/soundfonts

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/synth
	rm -rf $(DESTDIR)$(PREFIX)/share/synth

format:
	swift-format format --in-place --recursive Sources Tests Benchmarks Examples Package.swift

lint:
	swift-format lint --strict --recursive Sources Tests Benchmarks Examples Package.swift

clean:
	rm -rf .build out
