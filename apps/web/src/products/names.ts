/** The names of machines and materials in forms and on pages. */
import type { MATERIALS } from '@markwright/contract/words';
import type { MachineMode } from '@markwright/scene';

export const materialNames: Readonly<Record<(typeof MATERIALS)[number], string>> = {
  stainless: 'Stainless steel',
  'powder-coat': 'Powder coat',
  brass: 'Brass',
  aluminium: 'Aluminum',
  walnut: 'Walnut',
  maple: 'Maple',
  slate: 'Slate',
  leather: 'Leather',
  ceramic: 'Ceramic',
  acrylic: 'Acrylic',
  cotton: 'Cotton',
  other: 'Something else',
};

export const machineNames: Readonly<Record<MachineMode, string>> = {
  laser: 'Laser',
  uv: 'UV',
  sublimation: 'Sublimation',
  dtf: 'DTF',
};
