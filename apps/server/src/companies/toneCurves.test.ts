import { MATERIALS } from '@markwright/contract';
import { engravingMaterial } from '@markwright/engraving';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { findToneCurve } from './toneCurves.ts';

type Headers = Record<string, string>;
let server: TestApp;
let ann: Headers;
let gus: Headers;
beforeAll(async () => {
  server = await createTestApp();
  [ann, gus] = [await server.signUp(), await server.signUp()];
});
afterAll(() => server.close());

const CURVES = '/api/company/tone-curves';
const ask = (method: 'GET' | 'PUT' | 'DELETE' | 'POST', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const list = async (headers: Headers) => (await ask('GET', CURVES, headers)).json();
/** A curve of levels that rise, bent by a power. */
const curveOf = (power: number) => Array.from({ length: 20 }, (_, k) => 40 + Math.round(180 * (k / 19) ** power));
const typical = MATERIALS.map((material) => {
  const { curve, marksLight, intervalMm } = engravingMaterial(material);
  return { material, curve, isTypical: true, marksLight, intervalMm };
});

describe('a shop’s tone curves', () => {
  test('are typical ones until it measures, and are nobody else’s', async () => {
    expect(await list(ann)).toEqual(typical);
    const change = await ask('PUT', `${CURVES}/slate`, ann, { curve: curveOf(1), companyId: 'x' });
    const slate = { ...typical.find(({ material }) => material === 'slate')!, curve: curveOf(1), isTypical: false };
    expect([change.statusCode, change.json()]).toEqual([200, slate]);
    expect(await list(ann)).toEqual(typical.map((entry) => (entry.material === 'slate' ? slate : entry)));
    expect(await list(gus)).toEqual(typical);

    expect((await ask('PUT', `${CURVES}/slate`, gus, { curve: curveOf(3) })).statusCode).toBe(200);
    expect((await ask('PUT', `${CURVES}/slate`, ann, { curve: curveOf(2) })).json().curve).toEqual(curveOf(2));
    expect((await list(gus)).find(({ isTypical }: { isTypical: boolean }) => !isTypical).curve).toEqual(curveOf(3));
    expect((await takeOut(server, ann)).toneCurves).toEqual([{ material: 'slate', curve: curveOf(2) }]);

    const reset = await ask('DELETE', `${CURVES}/slate`, ann);
    expect([reset.statusCode, reset.json()]).toEqual([200, { ...slate, ...engravingCurve('slate'), isTypical: true }]);
    expect(await list(ann)).toEqual(typical);
    expect((await list(gus)).filter(({ isTypical }: { isTypical: boolean }) => !isTypical)).toHaveLength(1);
  });
  const engravingCurve = (material: string) => ({ curve: engravingMaterial(material).curve });

  test.each([
    ['slate', { curve: curveOf(1).slice(1) }, /has 20 numbers/],
    ['slate', { curve: [...curveOf(1), 1] }, /has 20 numbers/],
    ['slate', { curve: Array(20).fill(7) }, /must look different/],
    ['slate', { curve: curveOf(1).map(String) }, /must be a number/],
    ['slate', { curve: curveOf(1).map((value) => value * 1e9) }, /too large/],
    ['slate', {}, /missing/],
    ['granite', { curve: curveOf(1) }, /must be one of/],
  ])('refuse what is wrong, case %#', async (material, payload, sentence) => {
    const answer = await ask('PUT', `${CURVES}/${material}`, ann, payload);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(sentence)]);
  });

  test('are for accounts', async () => {
    for (const [method, url] of [
      ['GET', CURVES],
      ['GET', `${CURVES}/card`],
      ['DELETE', `${CURVES}/slate`],
    ] as const) {
      expect((await ask(method, url, {})).statusCode).toBe(401);
    }
    const guest = { kind: 'guest', guestId: 'g', address: '::1' } as const;
    expect(await findToneCurve(server.context, guest, 'slate')).toBeUndefined();
  });

  test('decide how a design of this account is engraved', async () => {
    const headers = await server.signUp();
    const form = new FormData();
    const gray = { create: { width: 40, height: 30, channels: 3 as const, background: '#808080' } };
    form.set('file', new Blob([new Uint8Array(await sharp(gray).png().toBuffer())], { type: 'image/png' }), 'a.png');
    const { id } = (
      await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers })
    ).json();
    const engrave = async (material: string) => {
      const body = { designId: id, widthMm: 10, intervalMm: 0.1, method: 'gray', material, invert: false };
      return (await ask('POST', '/api/designs/engrave', headers, body)).json().meanTone;
    };
    const before = await engrave('walnut');
    // Dots that spread much: few of them look half as dark as all.
    const spread = Array.from({ length: 20 }, (_, k) => 200 - Math.round(160 * (k / 19) ** 0.3));
    await ask('PUT', `${CURVES}/walnut`, headers, { curve: spread });
    const [after, slate] = [await engrave('walnut'), await engrave('slate')];
    // Half the contrast is seen where 10 % are burnt.
    expect(after).toBeCloseTo(0.5 ** (1 / 0.3), 1);
    expect(before).toBeGreaterThan(after + 0.1);
    await ask('DELETE', `${CURVES}/walnut`, headers);
    expect([await engrave('walnut'), await engrave('slate')]).toEqual([before, slate]);
  });
});

describe('the test card', () => {
  const makeCard = async (query = '') => (await ask('GET', `${CURVES}/card${query}`, ann)).json();
  async function pixelsOf(url: string) {
    const png = (await server.app.inject({ url })).rawPayload;
    const { data, info } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    return { png, data, ...info };
  }

  test('has twenty patches from bare to all burnt, at its pitch', async () => {
    const card = await makeCard();
    expect(card).toMatchObject({ filename: 'Test_Card_0.1mm_floyd-steinberg.png', dpi: 254, widthMm: 102 });
    const { png, data, width, height } = await pixelsOf(card.url);
    expect([width, height, png[24]]).toEqual([card.widthPx, card.heightPx, 1]);
    expect(png.readUInt32BE(png.indexOf('pHYs') + 4)).toBe(10_000);
    // The middle of each patch of 8 mm: 2 mm apart, below numbers of 2.5 mm and a gap of 0.5 mm.
    const shares = Array.from({ length: 20 }, (_, step) => {
      const [left, top] = [20 + (step % 10) * 100 + 10, 20 + Math.floor(step / 10) * 130 + 30 + 10];
      let count = 0;
      for (let y = top; y < top + 60; y++) {
        for (let x = left; x < left + 60; x++) if (data[y * width + x] === 0) count++;
      }
      return count / 3600;
    });
    for (const [step, share] of shares.entries()) expect(Math.abs(share - step / 19)).toBeLessThan(0.02);
  });

  test('is made by the dither and at the interval that are asked for, and is used again', async () => {
    const fine = await makeCard('?intervalMm=0.05&method=gray');
    expect(fine).toMatchObject({ dpi: 508, widthPx: 2040 });
    expect((await pixelsOf(fine.url)).png[24]).toBe(8);
    const again = await makeCard('?intervalMm=0.05&method=gray');
    expect(again.url.split('?')[0]).toBe(fine.url.split('?')[0]);
    for (const query of ['?intervalMm=9', '?intervalMm=x', '?method=stipple']) {
      const answer = await ask('GET', `${CURVES}/card${query}`, ann);
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(/\.$/)]);
    }
  });
});
