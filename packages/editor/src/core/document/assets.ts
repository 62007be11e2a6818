/** Keeps the assets of a composition in the editor: the picture and size of its product, and the fonts of its texts. */
import type { Product } from '@markwright/contract/schemas';
import { BRUSHED_PICTURE, type ProductChoice, parseDimensions } from '@markwright/contract/words';
import { type FigureSource, isArtwork, isFigure, linesOf, type ProductAsset } from '@markwright/scene';
import { findProduct, type Ports, sentenceOf } from '../ports.ts';
import type { Editor } from './editor.ts';

/**
 * Returns the facts about a product that a scene needs, with the shape of its print area where it has one. Throws as
 * `parseDimensions` does.
 */
async function loadProductAsset(product: Product): Promise<ProductAsset> {
  const asset = toProductAsset(product);
  if (!product.printArea.shape) return asset;
  const { productArea } = await import('@markwright/scene/productArea');
  return { ...asset, area: productArea({ ...asset, printArea: product.printArea }) };
}

/** Returns the same without the shape of the print area. */
export function toProductAsset(product: Product): ProductAsset {
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  return {
    pictureHref: product.mockupImageUrl,
    pictureAspect: product.pictureAspect,
    printArea: product.printArea,
    printWidthInches: widthInches,
    printHeightInches: heightInches,
    finish: { material: product.material, markColor: product.markColor, brushedHref: BRUSHED_PICTURE },
    surface: product.surface,
  };
}

let figures: Promise<FigureSource> | undefined;

/** Loads what draws codes and shapes, once for all editors. Rejects without a connection. */
export async function loadFigures(editor: Editor): Promise<void> {
  figures ??= import('@markwright/scene/figures').then(({ createFigures }) => createFigures());
  try {
    const source = await figures;
    if (editor.getState().assets.figures !== source) editor.setAssets({ figures: source });
  } catch (error) {
    figures = undefined;
    throw error;
  }
}

/**
 * Loads product, fonts, figures and the painter of marks as the composition changes. Reports a font that does not load
 * once. Returns a function that disconnects.
 */
export function connectAssets(editor: Editor, ports: Ports): () => void {
  let isConnected = true;
  /** Of the product that is shown, or on its way. */
  let choice: ProductChoice = {};
  let fontsWanted = '';
  let hasMarks = false;
  let hasFigures = false;
  let hasReportedFigures = false;
  const reportedFailures = new Set<string>();

  async function followProduct(): Promise<void> {
    const { productId, variant } = editor.getState().composition;
    if (productId === choice.productId && variant === choice.variant) return;
    const next = { productId, variant };
    choice = next;
    if (productId === undefined) {
      editor.setAssets({ product: undefined });
      return;
    }
    try {
      const product = await findProduct(ports, next);
      if (!isConnected || choice !== next) return;
      const asset = product && (await loadProductAsset(product));
      if (!isConnected || choice !== next) return;
      editor.setAssets({ product: asset });
      if (!product) ports.notify({ title: 'Product not found', description: 'Please choose another one.' });
    } catch (error) {
      if (!isConnected || choice !== next) return;
      choice = {};
      ports.notify({
        title: 'Products could not be loaded',
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      });
    }
  }

  async function followFonts(): Promise<void> {
    const lines = linesOf(editor.getState().composition);
    const linesKey = JSON.stringify(lines);
    if (linesKey === fontsWanted) return;
    fontsWanted = linesKey;
    const { fonts } = editor.getState().assets;
    if (lines.every((line) => fonts.outline(line))) return;
    try {
      const source = await ports.ensureFonts(lines);
      if (isConnected) editor.setAssets({ fonts: source });
    } catch (error) {
      if (!isConnected) return;
      fontsWanted = '';
      const description = sentenceOf(error, 'Please try again.');
      if (reportedFailures.has(description)) return;
      reportedFailures.add(description);
      ports.notify({ title: 'Font could not be loaded', description, variant: 'destructive' });
    }
  }

  /** Loads the painter of marks. Without it marks are plain colors, which needs no notice. */
  async function followMarks(): Promise<void> {
    const { composition } = editor.getState();
    if (hasMarks || (composition.productId === undefined && composition.elements.every(isArtwork))) return;
    hasMarks = true;
    try {
      const { markPainter } = await import('@markwright/scene/markPainter');
      if (isConnected) editor.setAssets({ markPainter });
    } catch {
      hasMarks = false;
    }
  }

  /** Loads what draws codes and shapes. */
  async function followFigures(): Promise<void> {
    if (hasFigures || !editor.getState().composition.elements.some(isFigure)) return;
    hasFigures = true;
    try {
      await loadFigures(editor);
    } catch {
      hasFigures = false;
      if (!isConnected || hasReportedFigures) return;
      hasReportedFigures = true;
      const description = 'Check your connection, and change one of them to try again.';
      ports.notify({ title: 'Codes and shapes could not be loaded', description, variant: 'destructive' });
    }
  }

  /** Shows a product that somebody has changed. Says nothing where it is gone: choosing it again does. */
  async function refreshProduct(): Promise<void> {
    const before = choice;
    const product = await findProduct(ports, before).catch(() => undefined);
    const asset = product && (await loadProductAsset(product).catch(() => undefined));
    if (asset && isConnected && choice === before) editor.setAssets({ product: asset });
  }

  const follow = () => {
    void followFigures();
    void followProduct();
    void followMarks();
    void followFonts();
  };
  follow();
  const unsubscribe = editor.subscribe(follow);
  const stopProducts = ports.onProductsChange?.(() => void refreshProduct());
  return () => {
    isConnected = false;
    unsubscribe();
    stopProducts?.();
  };
}
