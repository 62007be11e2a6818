/** The path data of the icons for the z-order, alignment and distribution. */
export const arrangeIcons = {
  forward: 'M3.5 7.5h9v9h-9zM15.5 12V3.5M12.5 6.5l3-3 3 3',
  backward: 'M3.5 3.5h9v9h-9zM15.5 8v8.5M12.5 13.5l3 3 3-3',
  toFront: 'M3.5 3.5h13M10 16.5V7M6.5 10.5 10 7l3.5 3.5',
  toBack: 'M3.5 16.5h13M10 3.5v9.5M6.5 9.5 10 13l3.5-3.5',
  toLeft: 'M3.5 3.5v13M6.5 5H16v3.5H6.5zM6.5 11.5h5.5V15H6.5z',
  toCenter: 'M10 3v1.5M10 8v3M10 14.5V17M4.5 4.5h11V8h-11zM6.5 11h7v3.5h-7z',
  toRight: 'M16.5 3.5v13M4 5h9.5v3.5H4zM8 11.5h5.5V15H8z',
  toTop: 'M3.5 3.5h13M5.5 6.5h3.25V16H5.5zM11.25 6.5h3.25v5h-3.25z',
  toMiddle: 'M3 10h1.5M8 10h3M14.5 10H17M4.5 4.5H8v11H4.5zM11 6.5h3.5v7H11z',
  spreadAcross: 'M3.5 3.5v13M16.5 3.5v13M8 6h4v8H8z',
  spreadDown: 'M3.5 3.5h13M3.5 16.5h13M6 8h8v4H6z',
} as const;
