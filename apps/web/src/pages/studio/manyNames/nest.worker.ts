/** The worker of gang sheets by shapes: finds silhouettes and nests them. */
import {
  type GangSheet,
  nestGang,
  pieceSilhouette,
  type Sheet,
  type Silhouette,
  type SilhouetteScene,
  type SizeMm,
} from '@markwright/scene/sheets';

export interface NestRequest {
  readonly gang: GangSheet;
  /** By the places of the pieces. Elements that they share are sent once. */
  readonly scenes: readonly SilhouetteScene[];
  /** Of their boxes. */
  readonly sizes: readonly SizeMm[];
}

export interface NestReply {
  readonly sheets: readonly Sheet[];
  readonly silhouettes: readonly Silhouette[];
}

declare const self: {
  onmessage: (event: MessageEvent<NestRequest>) => void;
  postMessage(answer: NestReply): void;
};

self.onmessage = ({ data: { gang, scenes, sizes } }) => {
  const silhouettes = scenes.map(pieceSilhouette);
  const pieces = sizes.map((size, i) => ({ ...size, silhouette: silhouettes[i]! }));
  self.postMessage({ sheets: nestGang(gang, pieces), silhouettes });
};
