/**
 * The sample pictures of the studio's empty state, drawn by `scripts/samplePictures.ts`. Their addresses hold a hash of
 * their content, so a browser caches them forever.
 */
import clipArt from './clipArt.png';
import clipArtThumbnail from './clipArtThumbnail.webp';
import logo from './logo.jpg';
import logoThumbnail from './logoThumbnail.webp';
import portrait from './portrait.jpg';
import portraitThumbnail from './portraitThumbnail.webp';

export interface SamplePicture {
  readonly id: 'logo' | 'clipArt' | 'portrait';
  /** A short description of the picture. It stands below the thumbnail. */
  readonly title: string;
  /** The name of the uploaded file. */
  readonly filename: string;
  readonly url: string;
  /** 160 x 160 px. */
  readonly thumbnailUrl: string;
}

export const samplePictures: readonly SamplePicture[] = [
  {
    id: 'logo',
    title: 'Photo of a printed logo',
    filename: 'bakehouse-logo.jpg',
    url: logo,
    thumbnailUrl: logoThumbnail,
  },
  {
    id: 'clipArt',
    title: 'Clip art of a toucan',
    filename: 'toucan.png',
    url: clipArt,
    thumbnailUrl: clipArtThumbnail,
  },
  {
    id: 'portrait',
    title: 'Portrait of a sailor',
    filename: 'sailor.jpg',
    url: portrait,
    thumbnailUrl: portraitThumbnail,
  },
];
