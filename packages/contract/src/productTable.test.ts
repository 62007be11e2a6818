import { expect, test } from 'vitest';
import { matchRows, readProductTable, type TableFields, writeProductTable } from './productTable.ts';

test('a table says sizes, materials, machines and surfaces, by lengths with and without a unit', () => {
  const { rows, problems } = readProductTable(
    'File;Width;Height;Material;Machines;Surface;Diameter;Top-Diameter;Bottom diameter;Cone height\n' +
      'Tumbler.png;2.2 in;139,7;Stainless steel;laser, UV;;73;;;\n' +
      'Cups/Tall;60 mm;9 cm;ceramic;sublimation;tapered;;90;70;110\n' +
      'Slate.svg;;;slate;;flat;;;;\n',
  );
  expect(problems).toEqual([]);
  expect(rows.map(({ line, file, fields }) => [line, file, fields])).toEqual([
    [
      2,
      'Tumbler.png',
      {
        dimensions: '2.2x5.5',
        material: 'stainless',
        machines: ['laser', 'uv'],
        surface: { kind: 'cylinder', diameterMm: 73 },
      },
    ],
    [
      3,
      'Cups/Tall',
      {
        dimensions: '2.362x3.543',
        material: 'ceramic',
        machines: ['sublimation'],
        surface: { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 70, heightMm: 110 },
      },
    ],
    [4, 'Slate.svg', { material: 'slate', surface: { kind: 'flat' } }],
  ]);
});

test.each<[string, string]>([
  ['width,height\n1,2', 'products.csv, line 1: The column “file” is missing.'],
  ['file,weight\na,1', 'products.csv, line 1, column “weight”: There is no such column. There are file, width,'],
  ['file,File\na,b', 'products.csv, line 1, column “File”: This column is there twice.'],
  ['file,width\n\na.png,wide', 'products.csv, line 3, column “width”: “wide” is no length. Write 73, 73 mm or 2.9 in.'],
  ['file,width\na,50', 'products.csv, line 2, column “height”: A print area has a width and a height.'],
  ['file,width,height\na,0,1', 'products.csv, line 2, column “width”: It must be from 2.6 to 25400 mm.'],
  ['file,material\na,cheese', 'products.csv, line 2, column “material”: “cheese” is none of stainless,'],
  ['file,machines\na,laser plasma', 'products.csv, line 2, column “machines”: “plasma” is none of laser, uv,'],
  ['file,surface\na,cylinder', 'products.csv, line 2, column “surface”: '],
  ['file,surface,diameter\na,flat,7', 'products.csv, line 2, column “surface”: A flat blank has no diameter.'],
  ['file,top diameter\na,70', 'products.csv, line 2, column “bottom diameter”: A cone needs both diameters'],
  ['file,diameter\na,2000', 'products.csv, line 2, column “diameter”: It must be from 3 to 1000 mm.'],
  [
    'file,width,height,diameter\na,100,20,20',
    'products.csv, line 2, column “width”: A print area 100.0 mm wide does not',
  ],
  ['file,material\n,slate', 'products.csv, line 2, column “file”: The name of the picture is missing.'],
  ['file\na.png\nA.PNG', 'products.csv, line 3, column “file”: “A.PNG” is in line 2 already.'],
  ['file,material\n"a,b', 'products.csv: Line 2, column 1: A quotation mark opens here'],
])('a wrong line is named: %j', (text, problem) => {
  const { problems } = readProductTable(text);
  if (text.endsWith('cylinder')) expect(problems).toEqual([expect.stringContaining('A cylinder needs its diameter.')]);
  else expect(problems[0]).toContain(problem);
});

test('a row finds its picture by path, by its end, and by name without the ending; what is unclear is said', () => {
  const paths = ['Blanks/Mugs/blue.png', 'Blanks/Cups/blue.png', 'Blanks/Cups/Red.JPG', 'Blanks/-odd.png'];
  const match = (...files: string[]) => matchRows(readProductTable(['file', ...files].join('\n')), paths);
  expect(match('cups/blue', 'blanks\\cups\\red.jpg').rows.map((row) => row?.line)).toEqual([
    undefined,
    2,
    3,
    undefined,
  ]);
  expect(match('blue.png').problems).toEqual([
    'products.csv, line 2, column “file”: There are 2 pictures “blue.png”: write its folder, too.',
  ]);
  expect(match('red', 'Cups/Red.jpg').problems[0]).toContain('“Cups/Red.jpg” is in line 2 already.');
  expect(match('green').missing).toEqual(['products.csv, line 2, column “file”: There is no picture “green”.']);
});

test('rows that are written read back the same, whatever a file is called', () => {
  const fields: TableFields[] = [
    { dimensions: '2.2x5.5', material: 'brass', machines: ['laser', 'dtf'] },
    { surface: { kind: 'cylinder', diameterMm: 73.1 } },
    { surface: { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 70.5, heightMm: 110 } },
  ];
  const paths = ['Blanks/a, "b".png', 'Blanks/=sum.png', '-odd.png'];
  const table = readProductTable(writeProductTable(paths.map((file, i) => ({ file, fields: fields[i]! }))));
  expect(table.problems).toEqual([]);
  expect(matchRows(table, paths).rows.map((row) => row?.fields)).toEqual(fields);
});
