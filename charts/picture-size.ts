/** Size of a picture in CSS pixels. */
export interface PictureSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** For files and wide screens. */
export const WIDE_PICTURE: PictureSize = { widthPx: 960, heightPx: 620 };

/** For phones: drawn anew, since a wide picture shrunk to this width cannot be read. */
export const NARROW_PICTURE: PictureSize = { widthPx: 390, heightPx: 560 };
