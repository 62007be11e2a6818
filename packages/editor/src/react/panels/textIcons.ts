/** The path data of the icons of the text panel. */
export const textIcons = {
  alignLeft: 'M4 5h12M4 10h8M4 15h12',
  alignCenter: 'M4 5h12M6 10h8M4 15h12',
  alignRight: 'M4 5h12M8 10h8M4 15h12',
  bold: 'M6.5 4h4.25a3 3 0 0 1 0 6H6.5zM6.5 10h5a3 3 0 0 1 0 6h-5z',
  italic: 'M8.5 4H14M6 16h5.5M11.5 4l-3 12',
  underline: 'M6 4v5.5a4 4 0 0 0 8 0V4M5 16.5h10',
  letterSpacing: 'M3.5 4v12M16.5 4v12M6.5 14 10 6l3.5 8M7.75 11.25h4.5',
  lineSpacing: 'M3.5 3.5h13M3.5 16.5h13M10 6.5v7M8 8.25l2-2 2 2M8 11.75l2 2 2-2',
} as const;
