/** A starting category of the shared catalogue. */
export interface SeedCategory {
  name: string;
  description: string;
}

/**
 * A base product of the shared catalogue. Its picture is `pictures/<productId>.svg`, 1200 x 1200 with a clear
 * background.
 */
export interface SeedProduct {
  /** Stable slug; also the picture's file name. */
  productId: string;
  name: string;
  /** Name of a SeedCategory. */
  category: string;
  material:
    | 'stainless'
    | 'powder-coat'
    | 'brass'
    | 'walnut'
    | 'maple'
    | 'slate'
    | 'leather'
    | 'ceramic'
    | 'acrylic'
    | 'cotton'
    | 'aluminium';
  /** The processes that suit the blank, best first. */
  machines: ('laser' | 'uv' | 'sublimation' | 'dtf')[];
  /** Print area in inches, 'WxH': the flat region visible in the picture, not the whole wrap. */
  dimensions: string;
  /** The same area as fractions 0..1 of the picture. With `dimensions` it calibrates pixels to millimeters. */
  printArea: { x: number; y: number; width: number; height: number };
  /** Hex color of a laser mark on this material. */
  markColor: string;
}

export const seedCategories: SeedCategory[] = [
  { name: 'Tumblers', description: 'Straight and handled stainless tumblers for rotary engraving and UV wraps.' },
  { name: 'Mugs', description: 'Ceramic and camp mugs.' },
  { name: 'Water Bottles', description: 'Insulated bottles in powder coat.' },
  { name: 'Coasters', description: 'Slate and leather coasters.' },
  { name: 'Cutting Boards/ Serving Trays', description: 'Hardwood boards for kitchen and table.' },
  { name: 'Pie Pan Toppers', description: 'Hardwood lids that sit on a pie pan.' },
  { name: 'Foldable Rescue Knives', description: 'Folding knives with strap cutter and glass breaker.' },
  { name: 'Keychains - Brass', description: 'Solid brass tags on a steel split ring.' },
  { name: 'Wallets', description: 'Leather bifolds and metal card wallets.' },
  { name: 'Journals', description: 'Leather-bound notebooks.' },
  { name: 'Phone Cases', description: 'Protective cases with an engravable back.' },
  { name: 'Apparel', description: 'Cotton shirts and bags.' },
  { name: 'Signs', description: 'Desk signs and wall plaques.' },
  { name: 'Dog Tags', description: 'Military-style and pet tags.' },
  { name: 'Ornaments', description: 'Hanging keepsakes.' },
];

export const seedProducts: SeedProduct[] = [
  {
    productId: 'tumbler-20oz-stainless',
    name: '20 oz Skinny Tumbler, Stainless',
    category: 'Tumblers',
    material: 'stainless',
    machines: ['laser', 'uv'],
    dimensions: '2.2x5.5',
    printArea: { x: 0.39243, y: 0.26274, width: 0.21514, height: 0.53785 },
    markColor: '#3D3E41',
  },
  {
    productId: 'tumbler-20oz-black',
    name: '20 oz Skinny Tumbler, Matte Black',
    category: 'Tumblers',
    material: 'powder-coat',
    machines: ['laser', 'uv'],
    dimensions: '2.2x5.5',
    printArea: { x: 0.39243, y: 0.26371, width: 0.21514, height: 0.53785 },
    markColor: '#C0C0C0',
  },
  {
    productId: 'tumbler-30oz-handle-sage',
    name: '30 oz Tumbler with Handle, Sage',
    category: 'Tumblers',
    material: 'powder-coat',
    machines: ['laser', 'uv'],
    dimensions: '2.6x4',
    printArea: { x: 0.29951, y: 0.22617, width: 0.24765, height: 0.381 },
    markColor: '#D0D2D2',
  },
  {
    productId: 'mug-11oz-white',
    name: '11 oz Ceramic Mug, White',
    category: 'Mugs',
    material: 'ceramic',
    machines: ['sublimation', 'uv', 'laser'],
    dimensions: '2.4x2.9',
    printArea: { x: 0.15743, y: 0.25264, width: 0.4318, height: 0.52176 },
    markColor: '#2B2A29',
  },
  {
    productId: 'mug-12oz-camp-navy',
    name: '12 oz Camp Mug, Navy',
    category: 'Mugs',
    material: 'powder-coat',
    machines: ['laser', 'uv'],
    dimensions: '2.5x2.5',
    printArea: { x: 0.15412, y: 0.28428, width: 0.45508, height: 0.45508 },
    markColor: '#C6C8CA',
  },
  {
    productId: 'bottle-17oz-terracotta',
    name: '17 oz Cola Bottle, Terracotta',
    category: 'Water Bottles',
    material: 'powder-coat',
    machines: ['laser', 'uv'],
    dimensions: '1.9x3.8',
    printArea: { x: 0.42238, y: 0.51143, width: 0.15524, height: 0.31047 },
    markColor: '#D8D5D2',
  },
  {
    productId: 'bottle-32oz-wide-mouth-ivory',
    name: '32 oz Wide-Mouth Bottle, Ivory',
    category: 'Water Bottles',
    material: 'powder-coat',
    machines: ['laser', 'uv'],
    dimensions: '2.6x4.4',
    printArea: { x: 0.38718, y: 0.45491, width: 0.22564, height: 0.38185 },
    markColor: '#7E7F80',
  },
  {
    productId: 'coaster-slate-square',
    name: 'Slate Coaster, 4 in Square',
    category: 'Coasters',
    material: 'slate',
    machines: ['laser', 'uv'],
    dimensions: '3.2x3.2',
    printArea: { x: 0.17488, y: 0.16988, width: 0.65024, height: 0.65024 },
    markColor: '#C9CDCE',
  },
  {
    productId: 'coaster-leather-round',
    name: 'Leather Coaster, 4 in Round',
    category: 'Coasters',
    material: 'leather',
    machines: ['laser'],
    dimensions: '2.5x2.5',
    printArea: { x: 0.24071, y: 0.23571, width: 0.51858, height: 0.51858 },
    markColor: '#4A2410',
  },
  {
    productId: 'cutting-board-walnut',
    name: 'Walnut Cutting Board, 14 x 10 in',
    category: 'Cutting Boards/ Serving Trays',
    material: 'walnut',
    machines: ['laser', 'uv'],
    dimensions: '11x7',
    printArea: { x: 0.16938, y: 0.2846, width: 0.66125, height: 0.42079 },
    markColor: '#24130A',
  },
  {
    productId: 'serving-board-maple',
    name: 'Maple Paddle Serving Board, 17 x 7.5 in',
    category: 'Cutting Boards/ Serving Trays',
    material: 'maple',
    machines: ['laser', 'uv'],
    dimensions: '10x5.5',
    printArea: { x: 0.12858, y: 0.36828, width: 0.46567, height: 0.25612 },
    markColor: '#5A3417',
  },
  {
    productId: 'pie-topper-maple-9in',
    name: 'Maple Pie Pan Topper, 9 in',
    category: 'Pie Pan Toppers',
    material: 'maple',
    machines: ['laser', 'uv'],
    dimensions: '5.6x5.6',
    printArea: { x: 0.27005, y: 0.26505, width: 0.45991, height: 0.45991 },
    markColor: '#5A3417',
  },
  {
    productId: 'rescue-knife-aluminium-black',
    name: 'Rescue Folder, Black Aluminum',
    category: 'Foldable Rescue Knives',
    material: 'aluminium',
    machines: ['laser', 'uv'],
    dimensions: '2.4x0.5',
    printArea: { x: 0.2197, y: 0.66203, width: 0.3429, height: 0.07144 },
    markColor: '#C4C6C8',
  },
  {
    productId: 'rescue-knife-walnut',
    name: 'Rescue Folder, Walnut Handle',
    category: 'Foldable Rescue Knives',
    material: 'walnut',
    machines: ['laser'],
    dimensions: '2.4x0.5',
    printArea: { x: 0.2197, y: 0.66203, width: 0.3429, height: 0.07144 },
    markColor: '#221108',
  },
  {
    productId: 'keychain-brass-round',
    name: 'Brass Keychain, 1.75 in Round',
    category: 'Keychains - Brass',
    material: 'brass',
    machines: ['laser'],
    dimensions: '1x1',
    printArea: { x: 0.35681, y: 0.53514, width: 0.27305, height: 0.27305 },
    markColor: '#4A3510',
  },
  {
    productId: 'keychain-brass-bar',
    name: 'Brass Keychain, 2.5 in Bar',
    category: 'Keychains - Brass',
    material: 'brass',
    machines: ['laser'],
    dimensions: '1.8x0.6',
    printArea: { x: 0.41809, y: 0.42697, width: 0.43815, height: 0.14605 },
    markColor: '#4A3510',
  },
  {
    productId: 'wallet-leather-bifold',
    name: 'Bifold Wallet, Chestnut Leather',
    category: 'Wallets',
    material: 'leather',
    machines: ['laser'],
    dimensions: '2.8x2.3',
    printArea: { x: 0.27302, y: 0.27989, width: 0.51562, height: 0.42354 },
    markColor: '#2E140A',
  },
  {
    productId: 'wallet-aluminium-card',
    name: 'Aluminum Card Wallet, Graphite',
    category: 'Wallets',
    material: 'aluminium',
    machines: ['laser', 'uv'],
    dimensions: '1.9x1.5',
    printArea: { x: 0.32145, y: 0.31887, width: 0.45043, height: 0.3556 },
    markColor: '#D2D4D6',
  },
  {
    productId: 'journal-leather-a5',
    name: 'A5 Leather Journal, Cognac',
    category: 'Journals',
    material: 'leather',
    machines: ['laser'],
    dimensions: '3.4x4.8',
    printArea: { x: 0.34042, y: 0.2603, width: 0.33249, height: 0.46939 },
    markColor: '#3D1B0A',
  },
  {
    productId: 'phone-case-walnut',
    name: 'Walnut Phone Case',
    category: 'Phone Cases',
    material: 'walnut',
    machines: ['laser', 'uv'],
    dimensions: '2.3x3.1',
    printArea: { x: 0.33935, y: 0.38938, width: 0.32131, height: 0.43307 },
    markColor: '#24130A',
  },
  {
    productId: 'tshirt-cotton-white',
    name: 'Cotton T-Shirt, White',
    category: 'Apparel',
    material: 'cotton',
    machines: ['uv', 'dtf'],
    dimensions: '10x12',
    printArea: { x: 0.37406, y: 0.31554, width: 0.25188, height: 0.30226 },
    markColor: '#3B3B3B',
  },
  {
    productId: 'tshirt-cotton-black',
    name: 'Cotton T-Shirt, Black',
    category: 'Apparel',
    material: 'cotton',
    machines: ['uv', 'laser', 'dtf'],
    dimensions: '10x12',
    printArea: { x: 0.37406, y: 0.31554, width: 0.25188, height: 0.30226 },
    markColor: '#B9B1A4',
  },
  {
    productId: 'tote-cotton-natural',
    name: 'Canvas Tote, Natural Cotton',
    category: 'Apparel',
    material: 'cotton',
    machines: ['uv', 'laser', 'dtf'],
    dimensions: '9x10',
    printArea: { x: 0.3457, y: 0.51772, width: 0.30861, height: 0.3429 },
    markColor: '#6A4A2A',
  },
  {
    productId: 'sign-acrylic-walnut-base',
    name: 'Acrylic Desk Sign, Walnut Base',
    category: 'Signs',
    material: 'acrylic',
    machines: ['laser', 'uv'],
    dimensions: '6.6x4.4',
    printArea: { x: 0.17869, y: 0.21798, width: 0.64262, height: 0.42841 },
    markColor: '#F4FAFC',
  },
  {
    productId: 'sign-aluminium-plaque',
    name: 'Brushed Aluminum Plaque, 12 x 8 in',
    category: 'Signs',
    material: 'aluminium',
    machines: ['laser', 'uv'],
    dimensions: '9.5x5.5',
    printArea: { x: 0.15816, y: 0.29876, width: 0.68368, height: 0.39582 },
    markColor: '#4A4B4E',
  },
  {
    productId: 'dog-tag-stainless',
    name: 'Stainless Dog Tag with Ball Chain',
    category: 'Dog Tags',
    material: 'stainless',
    machines: ['laser', 'uv'],
    dimensions: '1.25x0.7',
    printArea: { x: 0.31117, y: 0.61195, width: 0.46567, height: 0.26077 },
    markColor: '#37383B',
  },
  {
    productId: 'pet-tag-bone-aluminium',
    name: 'Bone Pet Tag, Red Aluminum',
    category: 'Dog Tags',
    material: 'aluminium',
    machines: ['laser'],
    dimensions: '1.3x0.5',
    printArea: { x: 0.23859, y: 0.51979, width: 0.52282, height: 0.20108 },
    markColor: '#E6E1DF',
  },
  {
    productId: 'ornament-ceramic-round',
    name: 'Ceramic Ornament, 3 in Round',
    category: 'Ornaments',
    material: 'ceramic',
    machines: ['sublimation', 'uv'],
    dimensions: '1.8x1.8',
    printArea: { x: 0.30188, y: 0.41021, width: 0.39624, height: 0.39624 },
    markColor: '#2B2A29',
  },
];
