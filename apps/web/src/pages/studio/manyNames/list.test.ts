import { emptyComposition, newArtwork, newText } from '@markwright/scene';
import { describe, expect, it } from 'vitest';
import { bindList, firstPick, firstPictures, hasTexts, readList, toTemplate } from './list.ts';

const artwork = newArtwork('design-1');
const text = { ...newText('t1'), text: 'Ada' };
const ofPicture = { ...emptyComposition, elements: [artwork] };
const ofBoth = { ...emptyComposition, elements: [artwork, text] };

describe('a list of pictures alone', () => {
  it('fills the only picture from its only column, whatever that is called', () => {
    expect(hasTexts(ofPicture)).toBe(false);
    const { table } = readList('Clients\noak.png\nash.png', ofPicture);
    const pick = firstPick(ofPicture, undefined, table);
    const pictures = firstPictures(ofPicture, table);
    const binding = bindList(toTemplate(ofPicture, pick, { colors: {}, pictures }), table);
    expect(binding).toMatchObject({ columns: [0], pictureColumns: new Set([0]), missing: [] });
    expect(binding.templates).toMatchObject([{ columns: [], pictureColumn: table.columns[0] }]);
  });

  it('is not guessed beside a text, whose names the column then has', () => {
    expect(hasTexts(ofBoth)).toBe(true);
    const { table } = readList('oak\nash', ofBoth);
    expect(firstPictures(ofBoth, table)).toEqual({});
    const pick = firstPick(ofBoth, undefined, table);
    const { templates } = bindList(toTemplate(ofBoth, pick, { colors: {}, pictures: {} }), table);
    expect(templates.map(({ elementId }) => elementId)).toEqual(['text:t1']);
  });

  it('leaves a text as it is where no text was picked', () => {
    const { table } = readList('name,logo\nAda,oak.png\nBea,ash.png', ofBoth);
    const pictures = firstPictures(ofBoth, table);
    const composition = toTemplate(ofBoth, { elementId: '', column: 'logo' }, { colors: {}, pictures });
    expect(composition.elements[1]).toBe(text);
    expect(bindList(composition, table).pictureColumns).toEqual(new Set([1]));
  });
});
