// Reads the input of the page, calls the WebAssembly function `explain`, and shows the result.
'use strict';

const HINTS = {
  python: 'the text inside the brackets of x[…]',
  tensorflow: 'StridedSlice in JSON: begin, end, strides, and masks other than 0',
  openvino: 'StridedSlice in JSON: begin, end, strides, and masks as lists',
  mindspore: 'StridedSlice in JSON: the same fields as TensorFlow’s',
  onnx: 'Slice in JSON: opset, starts, ends, axes, steps',
  litert: 'STRIDED_SLICE in JSON: the same fields as TensorFlow’s, and offset',
  torch: 'slice.Tensor in JSON: dim, start, end, step',
  stablehlo: 'slice in JSON: start_indices, limit_indices, strides',
  coreml: 'slice_by_index in JSON: begin, end, stride, and masks as lists',
};
const EXAMPLES = {
  python: [['1:, ..., newaxis, :-3:-1', '4,5,6'], ['::2, ::-1', '4,5'], ['2:99, -99:3', '5,6'], ['0, ..., 1', '2,3,4'], [':, newaxis', '4'], ['0, ..., ...', '4,5']],
  tensorflow: [['{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}', '6,5'], ['{"begin": [1, 0], "end": [0, -3], "strides": [1, -1], "begin_mask": 2, "end_mask": 1}', '4,6']],
  openvino: [['{"begin": [0, -2], "end": [3, 0], "begin_mask": [1, 0], "end_mask": [0, 1]}', '6,5']],
  mindspore: [['{"begin": [1, 0], "end": [3, 4], "strides": [1, 2]}', '6,5']],
  onnx: [['{"opset": 13, "starts": [-1], "ends": [-9223372036854775808], "axes": [1], "steps": [-1]}', '4,5']],
  litert: [['{"begin": [1, 2], "end": [3, 0], "strides": [1, 1], "shrink_axis_mask": 2, "offset": false}', '6,5']],
  torch: [['{"dim": -1, "start": 1, "end": null, "step": 2}', '4,6']],
  stablehlo: [['{"start_indices": [1, 0], "limit_indices": [3, 4], "strides": [1, 2]}', '4,5']],
  coreml: [['{"begin": [1, 0], "end": [0, 4], "stride": [1, 2], "end_mask": [true, false]}', '4,5']],
};

const element = (id) => document.getElementById(id);
const slice = element('slice');
const shape = element('shape');
const system = () => document.querySelector('input[name=system]:checked').value;

function chooseSystem(name) {
  (document.querySelector(`input[name=system][value="${name}"]`) || document.querySelector('input[name=system]')).checked = true;
  element('slice-hint').textContent = HINTS[system()];
  element('examples').replaceChildren(...EXAMPLES[system()].map(([text, lengths]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = system() === 'python' ? `x[${text}]` : text;
    button.addEventListener('click', () => { slice.value = text; shape.value = lengths; saveAndUpdate(); });
    return button;
  }));
}

/** Copies `text` to the clipboard, and shows a message with the name of the copied text. */
async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // `navigator.clipboard` exists only in secure contexts. Otherwise, the deprecated `execCommand` copies the text.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  element('status').textContent = `Copied: ${name}`;
  clearTimeout(copy.timer);
  copy.timer = setTimeout(() => { element('status').textContent = ''; }, 2000);
}

function translationRow({ system, operation, valid_for: validFor, refused: reason, defects = [] }) {
  const item = document.createElement('li');
  const add = (tag, name, text) => {
    const part = document.createElement(tag);
    part.className = name;
    part.textContent = text;
    item.append(part);
    return part;
  };
  add('span', 'system', system);
  if (operation) {
    add('span', 'code', operation);
    const button = add('button', '', 'Copy');
    button.type = 'button';
    button.setAttribute('aria-label', `Copy the code for ${system}`);
    button.addEventListener('click', () => copy(operation, system));
  } else {
    add('span', 'code', '–');
  }
  const notes = [validFor === 'this shape' && 'valid only for this shape', reason, ...defects.map((defect) => `warning: ${defect}`)];
  for (const note of notes.filter(Boolean)) add('span', 'note', note);
  return item;
}

function show(result) {
  const failed = result.error !== undefined;
  const error = element('error');
  error.hidden = !failed;
  error.textContent = failed ? `error: ${result.error}` : '';
  const shapeIsWrong = failed && result.rust !== undefined && result.sentences === undefined;
  slice.setAttribute('aria-invalid', String(failed && !shapeIsWrong));
  shape.setAttribute('aria-invalid', String(shapeIsWrong));

  // A slice with lists has no strides, offset or picture, so only its translations are shown.
  const explained = result.shape !== undefined && result.sentences !== undefined;
  element('result').hidden = !explained;
  if (explained) {
    const tuple = (list) => `(${list.join(', ')}${list.length === 1 ? ',' : ''})`;
    const [summary, ...items] = result.sentences;
    element('summary').textContent = summary;
    element('output-shape').textContent = tuple(result.shape);
    element('output-strides').textContent = tuple(result.strides);
    element('output-offset').textContent = String(result.offset);
    element('drawing').src = `data:image/svg+xml,${encodeURIComponent(result.svg)}`;
    element('drawing').alt = summary;
    element('text').textContent = result.picture;
    element('sentences').replaceChildren(...items.map((sentence) => {
      const item = document.createElement('li');
      item.append(...sentence.split('`').map((part, index) => {
        const code = document.createElement('code');
        code.textContent = part;
        return index % 2 ? code : part;
      }));
      return item;
    }));
  }
  element('translations').hidden = result.translations === undefined;
  if (result.translations !== undefined) {
    element('translation-list').replaceChildren(
      translationRow({ system: 'Python', operation: result.python }),
      translationRow({ system: 'Rust', operation: result.rust }),
      ...result.translations.map(translationRow),
    );
  }
}

function saveAndUpdate() {
  const state = new URLSearchParams({ as: system(), slice: slice.value, shape: shape.value });
  history.replaceState(null, '', `#${state}`);
  update();
}

function update() {
  slice.style.height = 'auto';
  slice.style.height = `${slice.scrollHeight + 2}px`;
  show(JSON.parse(wasm_bindgen.explain(system(), slice.value, shape.value)));
}

/** Shows the slice given in the page's address, or the first example if the address contains no slice. */
function restore() {
  const state = new URLSearchParams(location.hash.slice(1));
  chooseSystem(state.get('as') ?? 'python');
  const [text, lengths] = EXAMPLES[system()][0];
  slice.value = state.get('slice') ?? text;
  shape.value = state.get('shape') ?? lengths;
  update();
}

const bytes = Uint8Array.from(atob(element('wasm').textContent), (letter) => letter.charCodeAt(0));
wasm_bindgen({ module_or_path: bytes }).then(() => {
  element('systems').addEventListener('change', () => {
    chooseSystem(system());
    [slice.value, shape.value] = EXAMPLES[system()][0];
    saveAndUpdate();
  });
  slice.addEventListener('input', saveAndUpdate);
  shape.addEventListener('input', saveAndUpdate);
  element('link').addEventListener('click', () => copy(location.href, 'the link'));
  window.addEventListener('hashchange', restore);
  restore();
  document.body.dataset.ready = 'true';
});
