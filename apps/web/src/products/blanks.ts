/**
 * Sizes of common blanks in inches, to begin with. Brands differ, so people change them. The wraps come from the
 * templates of sublimation suppliers (HeatPressTools, Icobottle, MadPrints and Printful publish theirs), the card from
 * ISO/IEC 7810 ID-1.
 */
export interface Blank {
  readonly name: string;
  readonly dimensions: string;
}

export const blanks: readonly { readonly label: string; readonly options: readonly Blank[] }[] = [
  {
    label: 'Whole wraps',
    options: [
      { name: '16 oz tumbler', dimensions: '8.8x6.9' },
      { name: '20 oz skinny tumbler', dimensions: '9.3x8.2' },
      { name: '30 oz skinny tumbler', dimensions: '10.2x9.5' },
      { name: '40 oz handled tumbler, upper part', dimensions: '11x4.63' },
      { name: '11 oz mug', dimensions: '9x3.5' },
      { name: '15 oz mug', dimensions: '9x3.8' },
      { name: '17 oz bottle', dimensions: '7.5x3.5' },
    ],
  },
  {
    label: 'Flat pieces',
    options: [
      { name: 'Coaster, 4 in', dimensions: '4x4' },
      { name: 'Card wallet', dimensions: '3.37x2.125' },
      { name: 'Dog tag', dimensions: '1.1x2' },
      { name: 'Key tag', dimensions: '1x2' },
      { name: 'Cutting board, 9 × 12 in', dimensions: '9x12' },
      { name: 'Desk sign, 8 × 3 in', dimensions: '8x3' },
    ],
  },
];
