# What is rendered: five songs of openttd-openmsx from light to heavy, and the fonts that are installed.
# shellcheck shell=bash disable=SC2034

# 2.7 to 17 ms of FluidSynth for a second of audio, with TimGM6mb; heavier in every step by about 1.5.
songs=()
for song in train_filled_with_cash say_what_redfarn tttheme2 mosey_along_redfarn slow_neasy_redfarn; do
  songs+=("/usr/share/games/openttd/baseset/openmsx/$song.mid")
done

fonts=()
for font in TimGM6mb FluidR3_GM; do
  font=/usr/share/sounds/sf2/$font.sf2
  if [[ -r $font ]]; then fonts+=("$font"); else echo "not installed: $font"; fi
done
