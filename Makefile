# What people and CI type: `make demo` plays a song, `make test` takes twelve minutes, `make prove` tests all else.

PREFIX ?= /usr/local
DEMO_SONG ?= /usr/share/games/openttd/baseset/openmsx/busy_schedule.mid
SYNTH := .build/release/synth
# The version has one place, in the program.
VERSION := $(shell sed -n 's/.*static let release = "\(.*\)"/\1/p' Sources/synth/Commands/Command.swift)

# Debian packages: what the program is built from, what it is measured beside (libraries, then programs), and what the
# demo and the tests play with.
PACKAGES := libasound2-dev libebur128-dev libfluidsynth-dev libgcrypt20-dev liblo-dev libmysofa-dev \
  libsndfile1-dev libspeexdsp-dev libsystemd-dev libwebsockets-dev
BENCH_LIBRARIES := libsamplerate0-dev libsoxr-dev libwebrtc-audio-processing-dev
BENCH_PACKAGES := amsynth ffmpeg linux-perf valgrind zynaddsubfx-vst
# jackd2 replaces the libjack that libfluidsynth-dev comes with; with its own -dev package that one stays installed.
TEST_PACKAGES := alsa-utils dbus fluid-soundfont-gm fluidsynth graphviz jackd2 libjack-jackd2-dev liblo-tools \
  openttd-openmsx playerctl python3-mido sox timgm6mb-soundfont

# Where shells look for completions, below share/.
BASH_COMPLETIONS := bash-completion/completions
ZSH_COMPLETIONS := zsh/site-functions
FISH_COMPLETIONS := fish/vendor_completions.d

.PHONY: build demo demo-sounds test test-changed prove test-guest test-page page-shots \
  compare fuzz bench soundfont deps test-deps bench-deps install uninstall deb archive apt-repository docs format \
  lint clean

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

# Every functional test, in one optimised build.
test: deps test-deps
	Tests/run

# Those of what differs from a revision, or is not committed yet: make test-changed REV=main
test-changed: deps test-deps
	Tests/changed $(REV)

# What takes longer: sanitizers, the whole of the guest tests, installation, examples, a short fuzz.
prove: deps test-deps bench-deps
	Tests/prove

# The web page in Chromium, every control moved; its screenshots, in out/page, and the README's pictures.
test-page: build
	Tests/page/run

page-shots: build test-deps
	@Tests/install-packages webp
	Tests/page/run out/page
	cwebp -quiet -near_lossless 60 out/page/desktop-light.png -o docs/pictures/page.webp
	docs/pictures/draw-equalizer $(SYNTH) $(DEMO_SONG) >docs/pictures/equalizer.svg

test-guest: build test-deps
	Tests/guest/run

# Whether songs sound as they do in another revision: make compare REV=main~10
compare: deps test-deps
	Tests/compare-revisions $(REV)

fuzz:
	Tests/Fuzz/fuzz

bench: build test-deps bench-deps
	@Tests/install-packages $(BENCH_PACKAGES)
	Benchmarks/measure
	Benchmarks/compare
	Benchmarks/start
	Benchmarks/equalizer
	Benchmarks/reverb
	Benchmarks/voices
	Benchmarks/resampling
	Benchmarks/voice
	Benchmarks/profile
	Benchmarks/control

# The built-in font, from its generator.
soundfont: deps
	swift run --package-path soundfonts/Generator -c release soundfont-builder soundfonts/synth-gm.sf2

deps:
	@Tests/install-packages $(PACKAGES)

test-deps:
	@Tests/install-packages $(TEST_PACKAGES)

bench-deps:
	@Tests/install-packages $(BENCH_LIBRARIES)

install: build
	install -D -m 755 $(SYNTH) $(DESTDIR)$(PREFIX)/bin/synth
	install -d $(DESTDIR)$(PREFIX)/share/synth/presets/instruments $(DESTDIR)$(PREFIX)/share/synth/soundfonts
	install -D -m 644 web/index.html $(DESTDIR)$(PREFIX)/share/synth/web/index.html
	install -m 644 presets/*.json $(DESTDIR)$(PREFIX)/share/synth/presets
	install -m 644 presets/instruments/*.json $(DESTDIR)$(PREFIX)/share/synth/presets/instruments
	install -m 644 soundfonts/*.sf2 $(DESTDIR)$(PREFIX)/share/synth/soundfonts
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS))
	$(SYNTH) help --man >$(DESTDIR)$(PREFIX)/share/man/man1/synth.1
	$(SYNTH) help --completion bash >$(DESTDIR)$(PREFIX)/share/$(BASH_COMPLETIONS)/synth
	$(SYNTH) help --completion zsh >$(DESTDIR)$(PREFIX)/share/$(ZSH_COMPLETIONS)/_synth
	$(SYNTH) help --completion fish >$(DESTDIR)$(PREFIX)/share/$(FISH_COMPLETIONS)/synth.fish
	install -D -m 644 packaging/desktop/synth.desktop $(DESTDIR)$(PREFIX)/share/applications/synth.desktop
	install -D -m 644 packaging/desktop/synth.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/synth.svg
	install -d $(DESTDIR)$(PREFIX)/share/metainfo
	sed 's|@version@|$(VERSION)|; s|@date@|$(shell git log -1 --format=%cs)|' packaging/desktop/synth.metainfo.xml \
	  >$(DESTDIR)$(PREFIX)/share/metainfo/synth.metainfo.xml
	for manager in system user; do \
	  install -d $(DESTDIR)$(PREFIX)/lib/systemd/$$manager; \
	  sed 's|@bindir@|$(PREFIX)/bin|' packaging/systemd/$$manager/synth.service \
	    >$(DESTDIR)$(PREFIX)/lib/systemd/$$manager/synth.service; \
	done
	install -D -m 644 packaging/systemd/modules-load.conf $(DESTDIR)$(PREFIX)/lib/modules-load.d/synth.conf

# A package for Debian, with the Swift runtime in the program: out/synth_VERSION_ARCHITECTURE.deb. Its program is built
# apart, because the runtime is linked in. It brings libwebsockets along, whose name changes with Debian's releases.
PACKAGED := .build/package/release/synth

deb: deps
	swift build -c release --product synth --static-swift-stdlib -debug-info-format none --scratch-path .build/package \
	  -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/synth'
	rm -rf out/deb && mkdir -p out/deb
	$(MAKE) --no-print-directory -o build install SYNTH=$(PACKAGED) DESTDIR=out/deb PREFIX=/usr \
	  ZSH_COMPLETIONS=zsh/vendor-completions
	packaging/deb/build out/deb $(VERSION) out

# The same as an archive for any distribution: out/synth-VERSION-MACHINE.tar.gz. Its libraries are beside the program.
archive: deb
	packaging/archive out/deb $(VERSION) out

# A folder that apt can install from: deb [trusted=yes] file:/…/out/apt ./
apt-repository: deb
	@Tests/install-packages apt-utils
	rm -rf out/apt && mkdir -p out/apt && cp out/synth_$(VERSION)_*.deb out/apt
	cd out/apt && apt-ftparchive packages . >Packages && apt-ftparchive release . >.Release && mv .Release Release

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/synth
	rm -rf $(DESTDIR)$(PREFIX)/share/synth
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1/synth.1 $(BASH_COMPLETIONS)/synth $(ZSH_COMPLETIONS)/_synth \
	  $(FISH_COMPLETIONS)/synth.fish applications/synth.desktop icons/hicolor/scalable/apps/synth.svg \
	  metainfo/synth.metainfo.xml)
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/system/synth.service $(DESTDIR)$(PREFIX)/lib/systemd/user/synth.service
	rm -f $(DESTDIR)$(PREFIX)/lib/modules-load.d/synth.conf

# The documentation of every product, in out/docs.
docs: deps
	Tests/docs

format:
	swift-format format --in-place --recursive Sources Tests Benchmarks Examples soundfonts/Generator Package.swift

lint:
	Tests/lint

clean:
	rm -rf .build Benchmarks/.build Examples/.build soundfonts/Generator/.build out
