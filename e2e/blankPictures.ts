/** Photographs of blanks for browser tests: a board, a cup, a bank card beside a board. */
import sharp from 'sharp';
import type { Picture } from './studio.ts';

const photo = async (
  name: string,
  width: number,
  height: number,
  things: string,
  ground = '#e9e6e0',
): Promise<Picture> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${ground}"/>${things}</svg>`;
  return { name, mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer() };
};

const WALNUT = '#6b4630';

/** A walnut board of 3 : 2 with round corners, turned by 6°. */
export const boardPicture = () =>
  photo(
    'walnut-board.jpg',
    1500,
    1200,
    `<rect x="300" y="300" width="900" height="600" rx="60" fill="${WALNUT}" transform="rotate(6 750 600)"/>`,
  );

/** A round coaster of slate. */
export const coasterPicture = () =>
  photo('coaster.jpg', 1200, 1200, '<circle cx="600" cy="600" r="430" fill="#4b5054"/>');

/** A board of 120 × 140 mm and a bank card, both at 5 px a millimeter. */
export const cardPicture = () =>
  photo(
    'board-and-card.jpg',
    1500,
    1000,
    `<rect x="150" y="150" width="600" height="700" fill="${WALNUT}"/>
     <rect x="900" y="300" width="428" height="269.9" rx="15.9" fill="#2c4a9c"/>`,
  );

/** A mug of 82 × 96 mm at 6 px a millimeter, with its handle. */
export const mugPicture = () =>
  photo(
    'mug.jpg',
    1200,
    1000,
    `<circle cx="770" cy="500" r="150" fill="none" stroke="#1f5c57" stroke-width="44"/>
     <rect x="254" y="212" width="492" height="576" rx="26" fill="#1f5c57"/>`,
  );

/** A board on a table that is anything but plain. */
export const busyPicture = () => {
  const boards = Array.from({ length: 30 }, (_, i) => {
    const color = ['#8a6a48', '#b98f5d', '#6d4f33'][i % 3];
    return `<rect x="${i * 50}" y="0" width="50" height="1200" fill="${color}"/>
      <circle cx="${i * 50 + 20}" cy="${(i * 397) % 1200}" r="30" fill="#3f2c1c"/>`;
  });
  return photo(
    'on-a-table.jpg',
    1500,
    1200,
    `${boards.join('')}<rect x="450" y="300" width="600" height="600" fill="#d8d8dc"/>`,
  );
};
