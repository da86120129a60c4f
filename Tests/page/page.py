"""Moves every control of the web page in Chromium. usage: page.py SYNTH [SHOTS]"""
import os
import sys
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from program import TOKEN, Program

PAGE_LIMIT = 70_100  # bytes
LATE = 20_000  # ms; how long a change may take on a busy machine

checks = 0


def check(what, holds):
    global checks
    checks += 1
    if not holds:
        raise SystemExit(f"page: {what}")


class Pages:
    """Two pages of one synthesizer: what is done on the first is read back from the second."""

    def __init__(self, browser, program):
        self.card = program.card
        self.first = self.open(browser, program)
        self.second = self.open(browser, program)

    def open(self, browser, program):
        # Playwright's waiting evaluates text, which the page's policy forbids; the other contexts keep the policy.
        page = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True).new_page()
        page.on("pageerror", lambda error: sys.exit(f"page: an error in the script: {error}"))
        page.goto(program.url)
        page.wait_for_selector("body:not(.away)", timeout=LATE)
        return page

    def until(self, what, condition):
        """Waits until `condition`, about the state, holds for both pages: the next click depends on the first."""
        try:
            for page in (self.second, self.first):
                page.wait_for_function(f"() => {{ const s = state; return {condition}; }}", timeout=LATE)
        except Exception:
            value = self.second.evaluate("JSON.stringify({...state, fonts: null, log: state.log?.slice(-5)})")
            raise SystemExit(f"page: {what}: not {condition} in {value[:3000]}")
        check(what, True)

    def heard(self, what, condition):
        """Waits until the level of what is played, in decibels, is as it should be."""
        end = time.monotonic() + LATE / 1000
        while not condition(self.card.level):
            check(f"{what}: {self.card.level:.1f} dB", time.monotonic() < end)
            self.second.wait_for_timeout(50)
        check(what, True)

    def drag(self, locator, part):
        """Drags a slider to a part of its width."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        mouse, y = self.first.mouse, box["y"] + box["height"] / 2
        mouse.move(box["x"] + box["width"] / 2, y)
        mouse.down()
        for step in range(1, 6):
            mouse.move(box["x"] + box["width"] * (0.5 + (part - 0.5) * step / 5), y)
        mouse.up()


def strips(pages):
    page = pages.first
    for number in (1, 7, 16):
        of = f"s.channels[{number - 1}]"
        pages.drag(page.get_by_label(f"Channel {number} level", exact=True), 0.25)
        pages.until(f"the level of channel {number}", f"{of}.level < -30 && {of}.level > -55")
        pages.drag(page.get_by_label(f"Channel {number} pan", exact=True), 0.1)
        pages.until(f"the pan of channel {number}", f"{of}.pan < -0.5")
        # A song sets its sends itself.
        pages.drag(page.get_by_label(f"Channel {number} reverb", exact=True), 0.9)
        pages.until(f"the reverb of channel {number}", f"{of}.reverb > 0.7")
        pages.drag(page.get_by_label(f"Channel {number} chorus", exact=True), 0.6)
        pages.until(f"the chorus of channel {number}", f"{of}.chorus > 0.3")
        pages.drag(page.get_by_label(f"Channel {number} delay", exact=True), 0.6)
        pages.until(f"the delay of channel {number}", f"{of}.delay > 0.3")
        page.get_by_label(f"Channel {number} mute").click()
        pages.until(f"channel {number} is muted", f"{of}.mute")
        page.get_by_label(f"Channel {number} mute").click()
        pages.until(f"channel {number} is not muted", f"!{of}.mute")
        page.get_by_label(f"Channel {number} solo").click()
        pages.until(f"channel {number} is soloed", f"{of}.solo")
        page.locator("#unsolo").click()
        pages.until(f"channel {number} is not soloed", f"!{of}.solo")
        level = page.get_by_label(f"Channel {number} level", exact=True)
        level.focus()
        level.press("End")
        pages.until(f"the level of channel {number} by a key", f"{of}.level === 12")
        level.dblclick(position={"x": 5, "y": 5})
        pages.until(f"the level of channel {number} at home", f"{of}.level === 0")
    slider = page.get_by_label("Level of everything", exact=True)
    pages.drag(slider, 0.5)
    pages.until("the level of everything", "s.gain < -10")
    expect(pages.second.get_by_label("Level of everything", exact=True)).not_to_have_attribute(
        "aria-valuetext", "0.0 dB", timeout=LATE)
    slider.press("Home")
    pages.heard("silence at the slider's left end", lambda level: level < -90)
    slider.dblclick(position={"x": 5, "y": 5})
    pages.heard("sound again", lambda level: level > -50)


def presets(pages):
    page = pages.first
    page.get_by_label("Channel 5 preset").click()
    page.get_by_role("combobox", name="Search presets").fill("nylon")
    page.keyboard.press("Enter")
    pages.until("a preset that was searched for", "/nylon/i.test(s.channels[4].preset?.name)")
    page.get_by_label("Channel 5 preset").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    pages.until("the next preset by a key", "s.channels[4].preset?.name && !/nylon/i.test(s.channels[4].preset.name)")
    page.get_by_label("Channel 6 preset").click()
    page.get_by_role("combobox", name="Search presets").fill("super saw")
    page.locator("#found li").first.click()
    pages.until("an instrument of oscillators", "s.channels[5].instrument === 'super-saw'")
    page.get_by_label("Channel 6 preset").click()
    page.get_by_role("combobox", name="Search presets").fill("violin")
    page.locator("#found li").first.click()
    pages.until("the sampler again", "s.channels[5].instrument === 'sampler'")
    page.get_by_label("Channel 6 preset").click()
    page.get_by_role("combobox", name="Search presets").fill("nothing is called so")
    expect(page.locator("#found li")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#chooser")).not_to_be_visible()
    expect(page.get_by_label("Channel 6 preset")).to_be_focused()


def equalizer(pages):
    page = pages.first
    page.get_by_label("Equalizer preset").select_option("rock")
    pages.until("an equalizer preset", "s.equalizer.preset === 'rock'")
    before = pages.second.locator("#eq .curve").get_attribute("d")
    band = page.get_by_role("slider", name="1000 hertz")
    circle = band.locator("circle").bounding_box()
    x, y = circle["x"] + circle["width"] / 2, circle["y"] + circle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.mouse.move(x, y - 35)
    page.mouse.up()
    pages.until("a band that was dragged", "s.equalizer.gains[5] > 3")
    check("the other page draws the curve", pages.second.locator("#eq .curve").get_attribute("d") != before)
    band.focus()
    for _ in range(4):
        band.press("PageDown")
    pages.until("a band by keys", "s.equalizer.gains[5] < 3")
    band.press("Home")
    pages.until("a band at 0", "s.equalizer.gains[5] === 0")


def effects(pages):
    page = pages.first
    page.locator("#reverb select").select_option("plate")
    pages.until("the reverb's room", "s.reverb.type === 'plate'")
    for name, part, condition in [
        ("Reverb time", 0.9, "s.reverb.time > 8"), ("Reverb level", 0.4, "s.reverb.level < -10"),
    ]:
        pages.drag(page.get_by_label(name, exact=True), part)
        pages.until(name, condition)
    page.locator("#chorus select").select_option("flanger")
    pages.until("the chorus's type", "s.chorus.type === 'flanger'")
    for name, part, condition in [
        ("Chorus rate", 0.9, "s.chorus.rate > 3"), ("Chorus depth", 0.8, "s.chorus.depth > 0.02"),
        ("Chorus feedback", 0.8, "s.chorus.feedback > 0.5"), ("Chorus level", 0.3, "s.chorus.level < -20"),
    ]:
        pages.drag(page.get_by_label(name, exact=True), part)
        pages.until(name, condition)
    for delay in ["pan-repeat", "delay-2"]:
        page.locator("#delay select").select_option(delay)
        pages.until("the delay's type", f"s.delay.type === '{delay}'")
    for name, part, condition in [
        ("Delay time", 0.9, "s.delay.time > 0.5"), ("Delay feedback", 0.8, "s.delay.feedback > 50"),
        ("Delay level", 0.3, "s.delay.level < -20"),
    ]:
        pages.drag(page.get_by_label(name, exact=True), part)
        pages.until(name, condition)
    page.locator("#reverb select").select_option("off")
    pages.until("no reverb", "s.reverb.type === null")
    expect(page.get_by_label("Reverb time")).not_to_be_visible()


def buses(pages):
    """A bus is made, set, led to and deleted; each step is read back from the other page."""
    page = pages.first
    bus = "s.buses[0]"
    name = page.get_by_label("Name of a new bus")
    for text in ("drums", "hall"):
        name.fill(text)
        page.keyboard.press("Enter")
        pages.until(f"the bus {text}", f"s.buses.some(b => b.name === '{text}')")
    name.fill("reverb")
    page.get_by_role("button", name="Make", exact=True).click()
    expect(page.locator("#say")).to_contain_text("the word has a meaning already", timeout=LATE)
    pages.drag(page.get_by_label("Bus drums level", exact=True), 0.25)
    pages.until("the bus's level", f"{bus}.level < -30 && {bus}.level > -55")
    pages.drag(page.get_by_label("Bus drums pan", exact=True), 0.1)
    pages.until("the bus's pan", f"{bus}.pan < -0.5")
    mute = page.get_by_label("Bus drums mute")
    mute.focus()
    for isOn in ("true", "false"):
        page.keyboard.press("Space")
        pages.until(f"the bus's mute is {isOn}", f"{bus}.mute === {isOn}")
    page.get_by_role("button", name="Bus drums: show its inserts").click()
    expect(page.locator("#part")).to_have_value("drums")
    lead = page.locator("#lead")
    for to in ("hall", "1-2", "main"):
        lead.select_option(to)
        pages.until(f"the bus leads to {to}", f"{bus}.to === '{to}'")
    expect(pages.second.get_by_role("group", name="Bus drums")).to_contain_text("drums → main", timeout=LATE)
    strip = page.locator("#part")
    for part in ("channel 10", "microphone", "click"):
        strip.select_option(part)
        lead.select_option("drums")
        pages.until(f"{part} leads to the bus", f"{bus}.from.includes('{part}')")
    expect(page.get_by_role("button", name="Insert", exact=True)).not_to_be_visible()
    lead.select_option("main")
    pages.until("the click leads elsewhere", f"!{bus}.from.includes('click')")
    strip.select_option("channel 3")
    pages.drag(page.get_by_label("Channel 3 share to drums", exact=True), 0.3)
    share = f"{bus}.shares.find(x => x.strip === 'channel 3')?.percent"
    pages.until("a share", f"{share} > 20 && {share} < 40")
    page.get_by_label("Channel 3 share to drums", exact=True).press("Home")
    pages.until("no share", f"{bus}.shares.length === 0")
    accessible(page, "buses")
    heard_through_a_bus(pages)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete bus hall").click()
    pages.until("one bus is left", "s.buses.length === 1")


def heard_through_a_bus(pages):
    page = pages.first
    # What effects return is in the main mix, wherever channels lead.
    page.evaluate("for (const effect of ['reverb', 'chorus', 'delay']) perform(`${effect} off`)")
    page.evaluate("for (let n = 1; n <= 16; n++) perform(`to ${n} drums`)")
    pages.until("all channels lead to the bus", "s.buses[0].from.filter(f => f.startsWith('channel')).length === 16")
    level = page.get_by_label("Bus drums level", exact=True)
    level.press("Home")
    pages.heard("silence at the bus's left end", lambda level: level < -90)
    level.dblclick(position={"x": 5, "y": 5})
    pages.heard("sound over the bus", lambda level: level > -50)
    page.evaluate("for (let n = 1; n <= 16; n++) perform(`to ${n} main`)")
    pages.until("no channel leads there", "!s.buses[0].from.some(f => f.startsWith('channel'))")


def inserts(pages):
    """Effects are put into a channel and a bus, moved, mixed, bypassed, set and taken out."""
    page = pages.first
    strip, kind = page.locator("#part"), page.locator("#kind")
    insert = page.get_by_role("button", name="Insert", exact=True)
    page.get_by_role("button", name="Channel 3: show its inserts").click()
    expect(strip).to_have_value("channel 3")
    for effect in ("compressor", "pitch shift", "parametric equalizer"):
        kind.select_option(effect)
        insert.click()
        pages.until(f"a {effect}", f"s.inserts.some(i => i.effect === '{effect}' && i.strip === 'channel 3')")
    name = "Channel 3 compressor"
    down = page.get_by_role("button", name=f"Move {name} down")
    down.focus()
    page.keyboard.press("Enter")
    pages.until("the compressor is the second", "s.inserts[1].effect === 'compressor'")
    expect(down).to_be_focused()
    page.get_by_role("button", name=f"Move {name} up").click()
    pages.until("the compressor is the first", "s.inserts[0].effect === 'compressor'")
    pages.drag(page.get_by_label(f"{name} mix", exact=True), 0.5)
    pages.until("the mix", "s.inserts[0].mix > 35 && s.inserts[0].mix < 65")
    for isOn in ("true", "false"):
        page.get_by_role("button", name=f"Bypass {name}").click()
        pages.until(f"the bypass is {isOn}", f"s.inserts[0].bypass === {isOn}")
    settings = page.get_by_label(f"Settings of {name}")
    settings.focus()
    page.keyboard.press("Enter")
    threshold = page.get_by_label(f"{name} threshold", exact=True)
    expect(threshold).to_be_visible(timeout=LATE)
    pages.drag(threshold, 0.2)
    parameter = "ask({ get: '/channel_3_compressor/threshold' }).then(a => a.parameters[0].value)"
    end = time.monotonic() + LATE / 1000
    while not page.evaluate(parameter) < -40 and time.monotonic() < end:
        page.wait_for_timeout(50)
    check("the threshold", page.evaluate(parameter) < -40)
    pages.second.evaluate("perform('set \"channel 3 compressor\" threshold -7')")
    expect(threshold).to_have_attribute("aria-valuetext", "−7.0 dB", timeout=LATE)
    page.get_by_label("Settings of Channel 3 parametric equalizer").click()
    band = page.locator("#inserts select").last
    expect(band).to_be_visible(timeout=LATE)
    accessible(page, "inserts")
    page.get_by_role("button", name="Bus drums: show its inserts").click()
    kind.select_option("echo")
    insert.click()
    pages.until("an echo on a bus", "s.inserts.some(i => i.strip === 'drums')")
    page.get_by_role("button", name="Remove Drums echo").click()
    pages.until("no echo", "!s.inserts.some(i => i.strip === 'drums')")
    expect(kind).to_be_focused()
    strip.select_option("channel 3")
    for effect in ("compressor", "pitch shift", "parametric equalizer"):
        page.get_by_role("button", name=f"Remove Channel 3 {effect}").click()
    pages.until("no insert", "s.inserts.length === 0")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete bus drums").click()
    pages.until("no bus", "s.buses.length === 0")


def microphone(pages):
    button = pages.first.locator("#mic")
    expect(button).to_have_text("Microphone on", timeout=LATE)
    button.click()
    pages.until("the microphone is muted", "s.microphone.mute")
    expect(pages.second.locator("#mic")).to_have_text("Microphone muted", timeout=LATE)
    button.click()
    pages.until("the microphone is on", "!s.microphone.mute")


def transport(pages):
    page = pages.first
    page.get_by_role("button", name="Pause", exact=True).click()
    pages.until("the song pauses", "s.song.paused")
    pages.drag(page.get_by_label("Position", exact=True), 0.8)
    pages.until("another place", "+document.getElementById('position').value > s.song.duration * 0.6")
    page.get_by_role("button", name="Play", exact=True).click()
    pages.until("the song goes on", "!s.song.paused")
    for label, value, condition in [
        ("Tempo, percent", "150", "s.song.tempo === 1.5"), ("Transpose, semitones", "-2", "s.song.transpose === -2"),
    ]:
        page.get_by_label(label).fill(value)
        page.keyboard.press("Tab")
        pages.until(label, condition)
    page.get_by_role("button", name="Metronome", exact=True).click()
    pages.until("the metronome", "s.metronome.on")
    page.get_by_role("button", name="Metronome", exact=True).click()
    pages.until("no metronome", "!s.metronome.on")
    page.get_by_label("Metronome, beats a minute").fill("96")
    page.keyboard.press("Tab")
    pages.until("a tempo, which switches the metronome on", "s.metronome.on")
    place = "+document.getElementById('position').value / s.song.duration"
    pages.drag(page.get_by_label("Position", exact=True), 0.1)
    pages.until("a place near the start", f"!isSeeking && {place} < 0.3")
    page.locator("#loop").click()
    pages.drag(page.get_by_label("Position", exact=True), 0.5)
    pages.until("a place in the middle", f"!isSeeking && {place} > 0.4")
    page.locator("#loop").click()
    pages.until("a loop", "s.song.loop !== null")
    page.locator("#loop").click()
    pages.until("no loop", "s.song.loop === null")
    for name, isOn in [("shuffle", "s.songs.shuffle"), ("repeat", "!s.songs.repeat")]:
        page.locator(f"#{name}").click()
        pages.until(name, isOn)
        page.locator(f"#{name}").click()
        pages.until(f"{name} as it was", f"!({isOn})")
    # On a busy machine the song might end by itself meanwhile.
    pages.drag(page.get_by_label("Position", exact=True), 0.1)
    page.get_by_role("button", name="Next song").click()
    pages.until("the next song", "s.songs.current === 1")
    page.get_by_role("button", name="Previous song").click()
    pages.until("the song before", "s.songs.current === 0")
    entries = page.locator("#songs button")
    entries.nth(1).click()
    pages.until("a song of the list", "s.songs.current === 1")
    expect(entries.nth(1)).to_be_focused()
    expect(entries.nth(1)).to_have_attribute("aria-current", "true", timeout=LATE)
    entries.nth(0).click()
    pages.until("the first of the list", "s.songs.current === 0")


def snapshots(pages):
    page = pages.first
    gain = page.get_by_label("Level of everything", exact=True)
    gain.press("Home")
    pages.until("a level to be kept", "s.gain === -120")
    page.get_by_label("Name for how all is set now").fill("no sound")
    page.locator("#snap-form button").click()
    pages.until("a snapshot", "s.snapshots.length === 1 && s.snapshots[0].name === 'no sound'")
    gain.dblclick(position={"x": 5, "y": 5})
    pages.until("another level", "s.gain === 0")
    page.get_by_label("Name for how all is set now").fill("recall")
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_contain_text("recall", timeout=LATE)
    accessible(page, "a snapshot")
    page.get_by_role("button", name="no sound", exact=True).click()
    pages.until("the snapshot's level", "s.gain === -120")
    gain.dblclick(position={"x": 5, "y": 5})
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete snapshot no sound").click()
    page.once("dialog", lambda dialog: dialog.accept())
    check("a snapshot whose deletion was not confirmed stays", page.locator("#snapshots li").count() == 1)
    page.get_by_role("button", name="Delete snapshot no sound").click()
    pages.until("no snapshot", "s.snapshots.length === 0 && s.gain === 0")


def learning(pages):
    page = pages.first
    learned = page.locator("#learned")
    expect(learned).to_contain_text("Level of everything −40 dB to 0 dB")
    expect(learned).to_contain_text("controller 20 on channel 1 of nanoKONTROL")
    accessible(page, "learned controls")
    page.get_by_role("button", name="Forget Channel 3 pan").click()
    pages.until("one is forgotten", "s.learned.controls.length === 1")
    page.get_by_role("button", name="Forget Level of everything").click()
    pages.until("both are", "s.learned.controls.length === 0")
    page.get_by_label("Channel 3 pan", exact=True).focus()
    expect(page.locator("#target")).to_have_value("pan 3")
    page.locator("#learn").click()
    pages.until("a control is waited for", "s.learned.waiting === 'pan 3'")
    expect(pages.second.locator("#learning")).to_contain_text("Channel 3 pan", timeout=LATE)
    page.get_by_role("button", name="Give up").click()
    pages.until("none is", "s.learned.waiting === null")
    page.locator("#target").select_option(label="Play and pause")
    page.locator("#learn").click()
    pages.until("a command is waited for", "s.learned.waiting === 'pause'")
    page.locator("#target").select_option(label="Channel 4 level")
    page.get_by_role("button", name="Give up").click()
    pages.until("none is again", "s.learned.waiting === null")
    page.get_by_label("From (if not all)").fill("loud")
    page.get_by_label("To", exact=True).fill("0")
    page.locator("#learn").click()
    expect(page.locator("#say")).to_contain_text("loud: give a number", timeout=LATE)


def keyboard(pages):
    page = pages.first
    page.get_by_role("button", name="Pause", exact=True).click()
    pages.until("the song pauses", "s.song.paused")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_label("Channel of the keyboard").select_option("12")
    key = page.locator("#keys .w").nth(3)
    key.scroll_into_view_if_needed()
    box = key.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] * 0.9)
    page.mouse.down()
    pages.second.evaluate("window.lit = 0; new MutationObserver(() => lit++).observe($('cells').children[12], {attributes: true})")
    pages.second.wait_for_function("/hannel 13.*note on F3/.test(document.getElementById('last').textContent)", timeout=LATE)
    check("the key is shown pressed", "down" in key.get_attribute("class"))
    page.mouse.move(box["x"] + box["width"] + 5, box["y"] + box["height"] * 0.9)
    check("the finger has slid to the next", "down" in page.locator("#keys .w").nth(4).get_attribute("class"))
    page.mouse.up()
    pages.second.wait_for_function("lit > 0", timeout=LATE)
    check("no key is pressed", page.locator("#keys .down").count() == 0)
    page.locator("#keys").focus()
    page.keyboard.down("a")
    check("a computer key presses one", page.locator("#keys .down").count() == 1)
    page.keyboard.up("a")
    page.get_by_role("button", name="Computer keys").click()
    page.keyboard.down("a")
    check("switched off, it presses none", page.locator("#keys .down").count() == 0)
    page.keyboard.up("a")
    page.get_by_role("button", name="Computer keys").click()
    page.get_by_role("button", name="Sustain").click()
    pages.second.wait_for_function(
        "/hannel 13/.test(document.getElementById('last').textContent) || true", timeout=LATE)
    page.get_by_role("button", name="Sustain").click()
    before = page.locator("#range").text_content()
    page.get_by_role("button", name="One octave up").click()
    check("an octave up", page.locator("#range").text_content() != before)
    page.get_by_role("button", name="One octave down").click()
    pages.drag(page.get_by_label("Velocity of computer keys"), 0.2)
    check("the velocity", page.evaluate("velocity.value") < 50)


def recording(pages, program):
    page = pages.first
    page.locator("#record").click()
    pages.until("a recording", "s.recordings.files.length === 1")
    expect(page.locator("#record-text")).to_contain_text("Stop 0:01", timeout=LATE)
    page.wait_for_timeout(1200)
    page.locator("#record").click()
    pages.until("no recording", "s.recordings.files.length === 0")
    folder = f"{program.folder}/synth/recordings"
    takes = [name for name in os.listdir(folder) if name.endswith(".flac")]
    check("the recording is a file with sound", takes and os.path.getsize(f"{folder}/{takes[0]}") > 10_000)
    check("the recording is its owner's alone", os.stat(f"{folder}/{takes[0]}").st_mode & 0o777 == 0o600)
    page.evaluate("perform('record /tmp/page-was-here.flac')")
    expect(page.locator("#say")).to_contain_text("give a name", timeout=LATE)
    check("nothing is written elsewhere", not os.path.exists("/tmp/page-was-here.flac"))
    page.evaluate("perform('quit')")
    expect(page.locator("#say")).to_contain_text("use synth ctl or the terminal", timeout=LATE)


def devices(pages):
    page = pages.first
    expect(page.locator("#out-facts")).to_contain_text("48000 Hz", timeout=LATE)
    font = page.get_by_label("Soundfont on the machine that plays")
    font.evaluate("e => e.append(new Option('no-such-font.sf2', 'no-such-font.sf2'))")
    font.select_option("no-such-font.sf2")
    expect(page.locator("#say")).to_contain_text("no-such-font.sf2: no such soundfont", timeout=LATE)
    page.get_by_label("Output device").evaluate("e => e.append(new Option('nowhere', 'nowhere'))")
    page.get_by_label("Output device").select_option("nowhere")
    expect(page.locator("#say")).to_contain_text("nowhere", timeout=LATE)


def meters(pages):
    pages.second.wait_for_function(
        "[...document.querySelectorAll('#strips .meter i')].some(i => parseFloat(i.style.clipPath.split(' ')[1]) < 99)",
        timeout=LATE)
    pages.second.wait_for_function("+document.getElementById('voices').textContent > 0", timeout=LATE)
    pages.second.evaluate("showMeters({time: 1, position: 1, voices: 1, xruns: 0, main: [1, 1], mainHeld: [1, 1], "
                          "clips: clipsSeen + 3, channels: Array(16).fill([1, 1]), held: Array(16).fill([1, 1]), "
                          "midi: Array(16).fill(0), last: null})")
    clip = pages.second.get_by_role("button", name="Channel 2 went beyond full scale: clear")
    clip.click()
    expect(clip).not_to_be_visible()


def reconnecting(pages, synth, program):
    page = pages.first
    page.reload()
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    port = program.port
    program.end()
    expect(page.locator("#banner")).to_contain_text("Trying again", timeout=LATE)
    again = Program(synth, port=port)
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    expect(page.locator("#banner")).not_to_be_visible()
    pages.until("the other page too", "s.channels.length === 16")
    return again


def tokens(browser, synth):
    program = Program(synth)
    page = browser.new_page()
    page.goto(program.address)
    expect(page.locator("#token-form")).to_be_visible(timeout=LATE)
    check("no control works without the token", page.evaluate("Object.keys(state).length") == 0)
    page.get_by_label("Token", exact=True).fill(TOKEN)
    page.get_by_role("button", name="Connect").click()
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    page.reload()
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    other = browser.new_context().new_page()
    other.goto(program.url)
    other.wait_for_selector("body:not(.away)", timeout=LATE)
    check("the token does not stay in the address", "token" not in other.url)
    program.end()


def weight(browser, program):
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    start = time.monotonic()
    response = page.goto(program.url)
    loaded = time.monotonic() - start
    size = len(response.body())
    check(f"the page has {size} bytes, more than {PAGE_LIMIT}", size <= PAGE_LIMIT)
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    foreign = [url for url in asked if not url.startswith((program.address, "data:"))]
    check(f"the page asks for {foreign}", not foreign)
    shown = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    print(f"page: {size} bytes, loaded in {loaded * 1000:.0f} ms, its script done after {shown:.0f} ms")


def arranged(browser, program, *commands):
    page = browser.new_context().new_page()
    page.goto(program.url)
    page.wait_for_selector("body:not(.away)", timeout=LATE)
    for command in commands:
        answer = page.evaluate("line => perform(line)", command)
        check(f"{command}: {answer}", "answer" in answer)
    page.context.close()


def looks(browser, program, shots):
    """Accessibility by axe, nothing wider than the screen, and the screenshots; with a bus and an insert."""
    arranged(browser, program, "bus drums main", "to 10 drums", "share 1 drums 30", "insert 1 compressor")
    for scheme in ("light", "dark"):
        for name, width, height in (("desktop", 1280, 800), ("phone", 390, 844), ("small", 360, 640)):
            page = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 500).new_page()
            page.on("console", lambda message: check(f"the console: {message.text}", message.type != "error"))
            page.goto(program.url)
            page.wait_for_selector("body:not(.away)", timeout=LATE)
            for tab in ("play", "mix", "sound", "system") if width < 1000 else ("",):
                if tab:
                    page.locator(f"nav [data-tab={tab}]").click()
                page.wait_for_timeout(300)
                if shots:
                    page.screenshot(path=f"{shots}/{name}-{scheme}{tab and '-' + tab}.png")
                wide = page.evaluate("document.documentElement.scrollWidth")
                check(f"{name} {tab} is {wide} wide", wide <= width)
                accessible(page, f"{name} {scheme} {tab}")
            if width < 500:
                page.locator("nav [data-tab=mix]").click()
            page.get_by_label("Settings of Channel 1 compressor").click()
            expect(page.get_by_label("Channel 1 compressor ratio", exact=True)).to_be_visible(timeout=LATE)
            page.get_by_role("button", name="Make").scroll_into_view_if_needed()
            if shots:
                page.screenshot(path=f"{shots}/{name}-{scheme}-inserts.png")
            wide = page.evaluate("document.documentElement.scrollWidth")
            check(f"{name} inserts are {wide} wide", wide <= width)
            accessible(page, f"{name} {scheme} inserts")
            page.get_by_label("Channel 1 preset").click()
            if shots:
                page.screenshot(path=f"{shots}/{name}-{scheme}-presets.png")
            accessible(page, f"{name} {scheme} presets")
            page.context.close()
    arranged(browser, program, "bus delete drums", "remove 1 all")


def accessible(page, where):
    found = Axe().run(page).response["violations"]
    lines = [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
    check(f"axe at {where}: {lines[:5]}", not lines)


def main(synth, shots=None):
    if shots:
        os.makedirs(shots, exist_ok=True)
    program = Program(synth, "--preset", "pop", "--in", "null")
    print(f"page: {program.url}")
    with sync_playwright() as playwright:
        # The sandbox wants namespaces, which containers may lack.
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            weight(browser, program)
            looks(browser, program, shots)
            pages = Pages(browser, program)
            meters(pages)
            for part in (
                    strips, buses, inserts, presets, equalizer, effects, microphone, transport, keyboard, snapshots,
                    learning, devices):
                part(pages)
            recording(pages, program)
            program = reconnecting(pages, synth, program)
            tokens(browser, synth)
        finally:
            browser.close()
            program.end()
    print(f"page: {checks} checks passed")


main(*sys.argv[1:])
