/** The widget: an entry of its own, so that a shop's page does not load the site. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles.css';
import { readAddress, showTheme } from './address.ts';
import { createWidgetApi } from './api.ts';
import { createHost } from './hostPage.ts';
import { WidgetPage } from './WidgetPage.tsx';

const address = readAddress(location.search, window.parent !== window);
showTheme(address.theme);
document.documentElement.toggleAttribute('data-framed', address.isFramed);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WidgetPage address={address} api={createWidgetApi()} host={createHost(address)} />
  </StrictMode>,
);
