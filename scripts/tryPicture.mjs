// Traces a picture at a server and exports a design, or finds the picture. For the scripts that try the image.
// Run: tryPicture.mjs URL PASSWORD make|find
import { readFileSync } from 'node:fs';

const [url, password, what] = process.argv.slice(2);
const json = { 'content-type': 'application/json' };

async function call(path, init) {
  const response = await fetch(url + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const account = JSON.stringify({ email: 'admin@markwright.local', password });
const { token } = await call('/api/auth/login', { method: 'POST', headers: json, body: account });
const headers = { authorization: `Bearer ${token}` };
if (what === 'make') {
  const form = new FormData();
  const picture = readFileSync(new URL('../docs/screenshots/studio-wide.png', import.meta.url));
  form.append('file', new File([picture], 'picture.png', { type: 'image/png' }));
  const { id } = await call('/api/designs/upload', { method: 'POST', headers, body: form });
  const body = JSON.stringify({ designId: id });
  const trace = await call('/api/designs/vectorize', { method: 'POST', headers: { ...headers, ...json }, body });
  if (!trace.vectorizedSvgUrl) throw new Error('There is no trace.');
  const design = { machine: 'laser', productId: 'mug-11oz-white', texts: [{ id: 'a', text: 'Oak' }] };
  const order = JSON.stringify({ settings: { mode: 'vectorize' }, composition: { version: 0, data: design } });
  const file = await call('/api/designs/vectorize', { method: 'POST', headers: { ...headers, ...json }, body: order });
  const svg = await (await fetch(new URL(file.vectorizedSvgUrl, url))).text();
  if (!/<path/.test(svg)) throw new Error(`The export is no drawing: ${svg.slice(0, 200)}`);
}
const [design] = await call('/api/designs', { headers });
for (const path of [design?.originalFileUrl, design?.vectorizedSvgUrl, '/']) {
  if (!path) throw new Error('There is no design with a trace.');
  const { status } = await fetch(new URL(path, url));
  if (status !== 200) throw new Error(`${path}: ${status}`);
}
