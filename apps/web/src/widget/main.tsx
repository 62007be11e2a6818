/** The widget: an entry of its own, so that a shop's page does not load the site. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles.css';
import { readAddress, showTheme } from './address.ts';
import { createHost } from './hostPage.ts';
import { createServer } from './server.ts';
import { WidgetPage } from './WidgetPage.tsx';

const address = readAddress(location.search, window.parent !== window);
showTheme(address.theme);
document.documentElement.toggleAttribute('data-framed', address.isFramed);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WidgetPage address={address} server={createServer()} host={createHost(address)} />
  </StrictMode>,
);
