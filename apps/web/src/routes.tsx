/** The route table: one line per page; each page's code is loaded when it is opened. */
import type { ComponentType } from 'react';
import { prepareStored } from './pages/studio/compositions/storedComposition.ts';
import { createRouter, type Route, type Router, type RouterOptions } from './router.tsx';
import { TabLoading } from './ui/pageStates.tsx';

const routes = [
  page('/', () => import('./pages/landing/LandingPage.tsx'), 'LandingPage'),
  page('/studio', loadStudio, 'StudioPage'),
  page('/plans', () => import('./pages/plans/PlansPage.tsx'), 'PlansPage'),
  page('/subscribe', () => import('./pages/plans/PlansPage.tsx'), 'PlansPage'),
  page('/subscription-success', () => import('./pages/plans/SubscriptionSuccessPage.tsx'), 'SubscriptionSuccessPage'),
  page('/test-checkout', () => import('./pages/plans/TestCheckoutPage.tsx'), 'TestCheckoutPage'),
  page('/embed', () => import('./pages/embed/EmbedPage.tsx'), 'EmbedPage'),
  page('/feedback', () => import('./pages/feedback/FeedbackPage.tsx'), 'FeedbackPage'),
  page('/makers', () => import('./pages/makers/MakersPage.tsx'), 'MakersPage'),
  page('/makers/$id', () => import('./pages/makers/MakerPage.tsx'), 'MakerPage'),
  page('/auth', () => import('./pages/auth/AuthPage.tsx'), 'AuthPage'),
  page('/password-reset', () => import('./pages/passwordReset/PasswordResetPage.tsx'), 'PasswordResetPage'),
  page('/verify-email', () => import('./pages/verifyEmail/VerifyEmailPage.tsx'), 'VerifyEmailPage'),
  page('/invitation', () => import('./pages/invitation/InvitationPage.tsx'), 'InvitationPage'),
  profileTab('/', () => import('./pages/profile/AccountTab.tsx'), 'AccountTab'),
  profileTab('/plan', () => import('./pages/profile/PlanTab.tsx'), 'PlanTab'),
  profileTab('/files', () => import('./pages/profile/FilesTab.tsx'), 'FilesTab'),
  profileTab('/products', () => import('./pages/profile/company/ProductsTab.tsx'), 'ProductsTab'),
  profileTab('/shop', () => import('./pages/profile/company/ShopTab.tsx'), 'ShopTab'),
  profileTab('/maker', () => import('./pages/profile/maker/MakerTab.tsx'), 'MakerTab'),
  profileTab('/security', () => import('./pages/profile/SecurityTab.tsx'), 'SecurityTab'),
  page('/orders', () => import('./pages/orders/OrdersPage.tsx'), 'OrdersPage'),
  page('/proof', () => import('./pages/proof/ProofPage.tsx'), 'ProofPage'),
  page('/admin', () => import('./pages/admin/AdminPage.tsx'), 'AdminPage'),
  page('/admin-panel', () => import('./pages/admin/AdminPanelPage.tsx'), 'AdminPanelPage'),
];

/** The studio begins with what the device stores. Where there is something, it loads beside the page. */
async function loadStudio() {
  const [{ StudioPage }] = await Promise.all([import('./pages/studio/StudioPage.tsx'), prepareStored()]);
  return { StudioPage };
}

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>;

function page<Name extends string>(path: string, load: Load<Name>, name: Name): Route {
  return {
    path,
    async load() {
      const { [name]: Page } = await load();
      return { Page };
    },
  };
}

/** A tab of the profile, which its page shows below the links to all of them. */
function profileTab<Name extends string>(path: string, load: Load<Name>, name: Name): Route {
  return {
    path: `/profile${path}`,
    Pending: TabLoading,
    async load() {
      const [{ ProfilePage: Frame }, { [name]: Page }] = await Promise.all([
        import('./pages/profile/ProfilePage.tsx'),
        load(),
      ]);
      return { Frame, Page };
    },
  };
}

/** Tabs of the profile by their addresses from before it had tabs. */
const oldAddresses: Readonly<Record<string, string>> = {
  '/profile#local-maker': '/profile/maker',
  '/profile#second-factor': '/profile/security',
};

/** Makes the router, on the browser's history unless another is given. */
export function createAppRouter(options: Pick<RouterOptions, 'history' | 'prerenderedPath'>): Router {
  const router = createRouter({
    routes,
    notFound: {
      load: async () => ({ Page: (await import('./pages/notFound/NotFoundPage.tsx')).NotFoundPage }),
    },
    ...options,
  });
  const newAddress = oldAddresses[router.history.location.href];
  if (newAddress) router.history.replace(newAddress);
  return router;
}
