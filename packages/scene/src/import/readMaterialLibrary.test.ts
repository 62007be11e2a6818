import { expect, it } from 'vitest';
import { randomJob } from '../production/randomJobs.ts';
import { writeLightBurn } from '../production/writers/lightBurn.ts';
import { readMaterialLibrary } from './readMaterialLibrary.ts';

const library = `<?xml version="1.0" encoding="UTF-8"?>
<LightBurnLibrary DisplayName="Shop &amp; Co">
  <Material name="Birch">
    <Entry Thickness="3.0000" Desc="Clean cut" NoThickTitle="">
      <CutSetting type="Cut">
        <index Value="0"/><name Value=""/><LinkPath Value="Birch/3/Clean cut"/>
        <minPower Value="15"/><maxPower Value="65.5"/><speed Value="8.33333"/><numPasses Value="2"/><kerf Value="0.08"/>
        <runBlower Value="1"/><tabCount Value="1"/>
      </CutSetting>
    </Entry>
    <Entry Thickness="-1.0000" Desc="Fill" NoThickTitle="Fill">
      <CutSetting type="Scan"><maxPower Value="30"/><speed Value="250"/><interval Value="0.08"/><QPulseWidth Value="200"/></CutSetting>
    </Entry>
    <Entry Thickness="-1.0000" Desc="Photo"><CutSetting_Img type="Image"><maxPower Value="20"/></CutSetting_Img></Entry>
    <Entry Thickness="-1.0000" Desc="Of another program"><CutSetting type="Carve"/></Entry>
  </Material>
</LightBurnLibrary>`;

it('reads speeds and powers by material and operation', () => {
  const { name, entries } = readMaterialLibrary(new TextEncoder().encode(library));
  expect(name).toBe('Shop & Co');
  expect(entries).toEqual([
    {
      material: 'Birch',
      thicknessMm: 3,
      description: 'Clean cut',
      operation: 'line',
      settings: { minPower: 15, maxPower: 65.5, speed: 8.33333, numPasses: 2, kerf: 0.08, runBlower: 1 },
    },
    {
      material: 'Birch',
      thicknessMm: undefined,
      description: 'Fill',
      operation: 'engrave',
      settings: { maxPower: 30, speed: 250, interval: 0.08, QPulseWidth: 200 },
    },
    {
      material: 'Birch',
      thicknessMm: undefined,
      description: 'Photo',
      operation: 'picture',
      settings: { maxPower: 20 },
    },
  ]);
});

it('gives its values to a LightBurn project', () => {
  const { entries } = readMaterialLibrary(new TextEncoder().encode(library));
  const settings = new Map([['cut-c02', entries[0]!.settings]]);
  const settingOf = (text: string, name: string) =>
    new RegExp(`<CutSetting type="\\w+">(?:(?!</CutSetting>).)*<name Value="${name}[^"]*"/>.*?</CutSetting>`, 's').exec(
      text,
    )![0];
  const project = String(writeLightBurn(randomJob(1), { settings }));
  const cut = settingOf(project, 'Cut C02');
  expect(cut).toContain('<speed Value="8.33333"/>');
  expect(cut).toContain('<maxPower Value="65.5"/>');
  expect(cut).toContain('<kerf Value="0.08"/>');
  expect(cut).not.toContain('SET POWER');
  expect(settingOf(project, 'Engrave C00')).toContain('<name Value="Engrave C00 - SET POWER"/>');
  expect(String(writeLightBurn(randomJob(1), { settings, isKerfApplied: true }))).not.toContain('<kerf');
});
