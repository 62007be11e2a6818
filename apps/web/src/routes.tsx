/** The route table: one line per page; each page's code is loaded when it is opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  type RouteComponent,
  type RouterHistory,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { prepareStored } from './pages/studio/compositions/storedComposition.ts';
import { useTokenWatch } from './session.tsx';
import { PageError, PageLoading, TabLoading } from './ui/pageStates.tsx';
import { ToastsLater } from './ui/ToastsLater.tsx';

const root = createRootRoute({
  component: App,
  notFoundComponent: lazyRouteComponent(() => import('./pages/notFound/NotFoundPage.tsx'), 'NotFoundPage'),
});

const profile = page('/profile', () => import('./pages/profile/ProfilePage.tsx'), 'ProfilePage');
profile.addChildren([
  profileTab('/', () => import('./pages/profile/AccountTab.tsx'), 'AccountTab'),
  profileTab('/plan', () => import('./pages/profile/PlanTab.tsx'), 'PlanTab'),
  profileTab('/files', () => import('./pages/profile/FilesTab.tsx'), 'FilesTab'),
  profileTab('/products', () => import('./pages/profile/company/ProductsTab.tsx'), 'ProductsTab'),
  profileTab('/shop', () => import('./pages/profile/company/ShopTab.tsx'), 'ShopTab'),
  profileTab('/maker', () => import('./pages/profile/maker/MakerTab.tsx'), 'MakerTab'),
  profileTab('/security', () => import('./pages/profile/SecurityTab.tsx'), 'SecurityTab'),
]);

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
  profile,
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

function page<Name extends string>(path: string, load: Load<Name>, name: Name) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, name) });
}

type Load<Name extends string> = () => Promise<Record<Name, RouteComponent>>;

/** A tab of the profile, which its page shows below the links to all of them. */
function profileTab<Name extends string>(path: string, load: Load<Name>, name: Name) {
  return createRoute({
    getParentRoute: () => profile,
    path,
    component: lazyRouteComponent(load, name),
    pendingComponent: TabLoading,
    ...(path === '/' && {
      // Addresses from before the profile had tabs.
      beforeLoad({ location: { hash } }: { location: { hash: string } }) {
        const tab = { 'local-maker': '/profile/maker', 'second-factor': '/profile/security' }[hash];
        if (tab) throw redirect({ to: tab, replace: true });
      },
    }),
  });
}

/** Makes the router, on the browser's history unless another is given. */
export function createAppRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree: root.addChildren(routes),
    ...(history && { history }),
    // Search parameters stay text: a session id of digits is no number.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
  });
  router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
    // The browser is already scrolling to a link within the page that was followed before the app was there.
    const isUnderWay = !fromLocation && window.location.hash !== '';
    if (pathChanged && !isUnderWay) window.scrollTo({ top: 0, behavior: 'instant' });
  });
  return router;
}

function App() {
  useTokenWatch();
  return (
    <>
      <Outlet />
      <ToastsLater />
    </>
  );
}
