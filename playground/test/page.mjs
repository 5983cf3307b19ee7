// Tests the built page in Chromium, including keyboard navigation, a phone-sized screen and a dark color scheme.
//
//   node playground/test/page.mjs            runs the tests
//   SCREENSHOTS=dir node .../page.mjs        also writes screenshots, for review
//
// The environment variable CHROMIUM contains the path to the browser, by default `/usr/bin/chromium`.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const page = new URL('../target/page/index.html', import.meta.url);
const screenshots = process.env.SCREENSHOTS;
const DESKTOP = { width: 1100, height: 900 };
const PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** Opens the page. Each network request and each console message is recorded as a failure. */
async function openPage(state = {}, view = DESKTOP, scheme = 'light') {
  const tab = await browser.newPage();
  tab.failures = [];
  tab.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) tab.failures.push(request.url());
  });
  tab.on('console', (message) => tab.failures.push(message.text()));
  tab.on('pageerror', (error) => tab.failures.push(String(error)));
  await tab.setViewport(view);
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const hash = new URLSearchParams(state).toString();
  await tab.goto(hash ? `${page.href}#${hash}` : page.href);
  await tab.waitForSelector('body[data-ready]');
  return tab;
}

const text = (tab, selector) => tab.$eval(selector, (element) => element.textContent);
const isVisible = (tab, selector) => tab.$eval(selector, (element) => element.checkVisibility());

/** Returns the code of each translation, with the name of its system as the key. */
async function translations(tab) {
  const rows = await tab.$$eval('#translation-list li', (items) => items.map((item) =>
    [item.querySelector('.system').textContent, item.querySelector('.code').textContent]));
  return Object.fromEntries(rows);
}

async function selectAll(tab, selector) {
  await tab.focus(selector);
  await tab.keyboard.down('Control');
  await tab.keyboard.press('KeyA');
  await tab.keyboard.up('Control');
}

/** Replaces the text of a field, key by key. */
async function typeText(tab, selector, newText) {
  await selectAll(tab, selector);
  await tab.keyboard.type(newText);
}

/** Replaces the text of a field all at once, like a paste. */
async function paste(tab, selector, newText) {
  await selectAll(tab, selector);
  await tab.keyboard.sendCharacter(newText);
}

/** Checks that the tab has no failures and fits the screen, writes the screenshot, and closes the tab. */
async function checkAndClose(tab, name) {
  assert.deepEqual(tab.failures, [], name);
  const excessWidth = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(excessWidth, 0, `${name} is wider than the screen`);
  if (screenshots) {
    mkdirSync(screenshots, { recursive: true });
    await tab.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  }
  await tab.close();
}

const tests = {
  async 'the shape, strides, offset, picture and translations of a slice are shown'() {
    const tab = await openPage();
    await typeText(tab, '#slice', '1:, ::-2');
    await typeText(tab, '#shape', '2, 4');
    assert.equal(await text(tab, '#output-shape'), '(1, 2)');
    assert.equal(await text(tab, '#output-strides'), '(4, -2)');
    assert.equal(await text(tab, '#output-offset'), '7');
    assert.match(await text(tab, '#text'), /1    \.  1  \.  0/);
    const imageWidth = await tab.$eval('#drawing', (drawing) => drawing.decode().then(() => drawing.naturalWidth));
    assert.ok(imageWidth > 200, `the picture is too narrow: ${imageWidth} pixels`);
    const codes = await translations(tab);
    assert.deepEqual(Object.keys(codes), ['Python', 'Rust', 'TensorFlow', 'OpenVINO', 'MindSpore', 'ONNX', 'TensorStore', 'LiteRT',
      'PyTorch', 'StableHLO', 'Core ML']);
    assert.equal(codes.Rust, 'x.at(s![1:, ::-2])');
    assert.equal(codes.TensorFlow, 'tf.strided_slice(x, [1, 0], [0, 0], [1, -2], begin_mask=2, end_mask=3)');
    await checkAndClose(tab, 'desktop');
  },

  async 'mistakes are marked with carets'() {
    const tab = await openPage({ as: 'python', slice: '0, ..., ..., ::2', shape: '4,5' });
    assert.match(await text(tab, '#error'), /single ellipsis[^\n]*\n *0, \.\.\., \.\.\., ::2\n {10}\^\^\^/);
    assert.equal(await tab.$eval('#slice', (field) => field.ariaInvalid), 'true');
    assert.equal(await isVisible(tab, '#result'), false);
    await typeText(tab, '#slice', '0, 9');
    assert.match(await text(tab, '#error'), /index 9 is out of bounds for axis 1 with size 5[^\n]*\n *x\[0, 9\]\n {7}\^/);
    await typeText(tab, '#shape', '4, x');
    assert.equal(await tab.$eval('#shape', (field) => field.ariaInvalid), 'true');
    assert.equal(await tab.$eval('#slice', (field) => field.ariaInvalid), 'false');
    await checkAndClose(tab, 'mistake');
  },

  async 'operations in JSON are translated to Python'() {
    const cases = [
      ['tensorflow', '{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}', 'x[0:3, 2]'],
      ['openvino', '{"begin": [0, -2], "end": [3, 0], "begin_mask": [1, 0], "end_mask": [0, 1]}', 'x[:3, -2:]'],
      ['mindspore', '{"begin": [1, 0], "end": [3, 4], "strides": [1, 2]}', 'x[1:3, 0:4:2]'],
      ['litert', '{"begin": [1, 2], "end": [2, 3], "strides": [1, 1], "offset": true}', 'x[1:3, 2:5]'],
      ['litert', '{"ops": [{"slice": {"begin": [1, 0], "size": [2, -1]}}, {"reverse_v2": {"axis": [1]}}]}', 'x[1:3, ::-1]'],
      ['litert', '{"ops": [{"gather": {"indices": [1, 0, 1], "axis": 1}}]}', 'x[:, [1, 0, 1]]'],
      ['torch', '{"dim": -1, "start": 1, "step": 2}', 'x[..., 1::2]'],
      ['stablehlo', '{"start_indices": [1, 0], "limit_indices": [3, 4], "strides": [1, 2]}', 'x[1:3, 0:4:2]'],
      ['coreml', '{"begin": [1, 0], "end": [0, 4], "end_mask": [true, false]}', 'x[1:, :4]'],
      ['onnx', '{"opset": 13, "starts": [-3], "ends": [9], "axes": [1], "steps": [1]}', 'x[:, -3:9]'],
    ];
    const tab = await openPage();
    for (const [system, json, python] of cases) {
      await tab.click(`input[value=${system}]`);
      await paste(tab, '#slice', json);
      await typeText(tab, '#shape', '6,5');
      assert.equal((await translations(tab)).Python, python, system);
      assert.equal(await isVisible(tab, '#error'), false, await text(tab, '#error'));
    }
    await paste(tab, '#slice', '{"opset": 13, "start": [1], "ends": [2]}');
    assert.match(await text(tab, '#error'), /unknown field `start`[^]*\^/);
    await checkAndClose(tab, 'onnx');
  },

  async 'a link restores the system, the slice and the shape'() {
    const firstTab = await openPage();
    await firstTab.click('input[value=tensorflow]');
    const json = '{"begin": [1], "end": [3], "strides": [1]}';
    await paste(firstTab, '#slice', json);
    await typeText(firstTab, '#shape', '7');
    const link = await firstTab.evaluate(() => location.href);
    await firstTab.close();
    const secondTab = await browser.newPage();
    await secondTab.goto(link);
    await secondTab.waitForSelector('body[data-ready]');
    assert.equal(await secondTab.$eval('input[name=system]:checked', (radio) => radio.value), 'tensorflow');
    assert.equal(await secondTab.$eval('#slice', (field) => field.value), json);
    assert.equal(await text(secondTab, '#output-shape'), '(2,)');
    // A change of the address updates the page without a reload.
    await secondTab.evaluate(() => { location.hash = 'as=python&slice=::3&shape=7'; });
    await secondTab.waitForFunction(() => document.getElementById('output-shape').textContent === '(3,)');
    await secondTab.close();
  },

  async 'all controls can be used with the keyboard'() {
    const tab = await openPage();
    const reached = new Set();
    for (let presses = 0; presses < 60; presses += 1) {
      await tab.keyboard.press('Tab');
      const [name, outlined] = await tab.evaluate(() => {
        const focused = document.activeElement;
        const label = focused.getAttribute('aria-label') ?? focused.id ?? '';
        if (focused === document.body) return ['', true];
        return [label || focused.value || focused.textContent, getComputedStyle(focused).outlineStyle !== 'none'];
      });
      if (name) reached.add(name);
      assert.ok(outlined || name === '', `the keyboard focus on ${name} is not visible`);
    }
    for (const name of ['python', 'slice', 'shape', 'The picture', 'Copy the code for ONNX', 'link']) {
      assert.ok(reached.has(name), `${name} cannot be reached with the Tab key; the reachable controls are ${[...reached]}`);
    }
    await tab.focus('input[value=python]');
    await tab.keyboard.press('ArrowRight');
    assert.equal(await tab.$eval('input[name=system]:checked', (radio) => radio.value), 'tensorflow');
    const unnamed = await tab.$$eval('input, textarea, button', (controls) => controls
      .filter((control) => !control.labels?.length && !control.textContent.trim() && !control.ariaLabel).length);
    assert.equal(unnamed, 0, 'some controls have no name');
    await checkAndClose(tab, 'keyboard');
  },

  async 'a button copies a translation'() {
    const tab = await openPage({ as: 'python', slice: '1:', shape: '4' });
    await browser.defaultBrowserContext().overridePermissions('file://', ['clipboard-read', 'clipboard-write']).catch(() => {});
    await tab.evaluate(() => {
      window.copied = [];
      document.addEventListener('copy', () => window.copied.push(document.activeElement.value));
      const write = (text) => { window.copied.push(text); return Promise.resolve(); };
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: write } });
    });
    await tab.focus('button[aria-label="Copy the code for Rust"]');
    await tab.keyboard.press('Enter');
    await tab.waitForFunction(() => document.getElementById('status').textContent === 'Copied: Rust');
    assert.deepEqual(await tab.evaluate(() => window.copied), ['x.at(s![1:])']);
    await tab.close();
  },

  async 'controls are large enough on a phone'() {
    const tab = await openPage({ as: 'python', slice: '1:, ..., newaxis, :-3:-1', shape: '4,5,6' }, PHONE);
    const tooSmall = await tab.$$eval('button, textarea, #shape', (controls) =>
      controls.filter((control) => control.getBoundingClientRect().height < 24).length);
    assert.equal(tooSmall, 0, 'some controls are too small to tap');
    await checkAndClose(tab, 'phone');
  },

  async 'text is lighter than the background in the dark color scheme'() {
    const state = { as: 'python', slice: '::2, ::-1', shape: '4,5' };
    const tab = await openPage(state, DESKTOP, 'dark');
    const [textBrightness, backgroundBrightness] = await tab.$eval('body', (body) => {
      const style = getComputedStyle(body);
      return [style.color, style.backgroundColor].map((color) => Number(color.match(/\d+/)[0]));
    });
    assert.ok(textBrightness > backgroundBrightness + 150, `the contrast is too low: brightness ${textBrightness} on ${backgroundBrightness}`);
    await checkAndClose(tab, 'dark');
    await checkAndClose(await openPage(state, PHONE, 'dark'), 'phone-dark');
  },

  async 'the page fits the screen with simulated color blindness'() {
    const tab = await openPage({ as: 'python', slice: '::2, ::-1', shape: '4,5' });
    await tab.emulateVisionDeficiency('achromatopsia');
    await checkAndClose(tab, 'grey');
  },

  async 'the page is never wider than the screen'() {
    for (const [slice, shape] of [['5:-5, ::-7', '1000,1000'], ['...', ''], ['0:0', '3'], ['::2', '2000000000'], [':, :, :, 1', '2,2,2,2']]) {
      const tab = await openPage({ as: 'python', slice, shape }, PHONE);
      assert.equal(await isVisible(tab, '#error'), false, `${slice} of (${shape}): ${await text(tab, '#error')}`);
      await checkAndClose(tab, `phone-${shape.replaceAll(',', 'x') || 'scalar'}`);
    }
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(`${fileURLToPath(page)}: ${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
