import type { Endpoints } from './endpoint.ts';

const savedDesignFields = ['designId', 'previewUrl', 'line'] as const;

export const widget = {
  start: {
    method: 'POST',
    path: '/api/widget/sessions',
    access: 'anyone',
    keepsNoGuest: true,
    returns: ['guestToken', 'shop'],
  },
  products: { method: 'GET', path: '/api/widget/products', access: 'anyone', returns: 'list' },
  save: { method: 'POST', path: '/api/widget/designs', access: 'anyone', stages: [], returns: savedDesignFields },
  get: { method: 'GET', path: '/api/widget/designs/:id', access: 'anyone', returns: savedDesignFields },
  open: {
    method: 'POST',
    path: '/api/widget/designs/:id/open',
    access: 'anyone',
    returns: [...savedDesignFields, 'composition', 'design', 'template'],
  },
} as const satisfies Endpoints;
