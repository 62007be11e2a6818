/**
 * The router: which page stands at an address. A page's code is fetched when it is needed, and the page before it stays
 * until then.
 */
import { createBrowserHistory, parseHref, type RouterHistory } from '@tanstack/history';
import {
  Component,
  type ComponentType,
  type ReactNode,
  Suspense,
  use,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { AddressContext, type Navigation, NavigationContext, toPath } from './navigation.tsx';

/** After this long, a page that is still being fetched takes the place of the one before it. */
const PENDING_MS = 1000;

/** The page at an address, and the frame around it. */
interface PageParts {
  readonly Page: ComponentType;
  /** Stands around several pages, and stays when one of them follows another. */
  readonly Frame?: ComponentType<{ children: ReactNode }>;
}

export interface Route {
  /** A part that begins with `$` stands for any text, as in `/makers/$id`. */
  readonly path: string;
  load(): Promise<PageParts>;
  /** Stands in the frame while another page of the same frame is long in coming. */
  readonly Pending?: ComponentType;
}

interface FetchedRoute extends Route {
  parts?: PageParts;
  pending?: Promise<PageParts>;
  hasFailed?: boolean;
}

export interface RouterOptions {
  readonly routes: readonly Route[];
  /** Stands at every other address. */
  readonly notFound: Omit<Route, 'path'>;
  /** By default the browser's. */
  readonly history?: RouterHistory;
  /**
   * The path whose page the document already shows, rendered at build. React takes it over there, also where Back has
   * led to another address meanwhile, and moves on then.
   */
  readonly prerenderedPath?: string;
}

export interface Router extends Navigation {
  /** The address that the document was rendered for, on a server or at build. */
  readonly renderedAddress: RouterHistory['location'];
  routeAt(path: string): FetchedRoute;
}

export function createRouter({
  routes,
  notFound,
  history = createBrowserHistory(),
  prerenderedPath,
}: RouterOptions): Router {
  const missing: FetchedRoute = { path: '', ...notFound };
  const table = routes.map((route): [readonly string[], FetchedRoute] => [toSteps(route.path), { ...route }]);
  const routeAt = (path: string) => {
    const steps = toSteps(path);
    return table.find(([pattern]) => isMatch(pattern, steps))?.[1] ?? missing;
  };
  // The library writes the address a moment later, and a page that reads it at its first render would read the old one.
  history.subscribe(history.flush);
  return {
    history,
    renderedAddress: prerenderedPath === undefined ? history.location : parseHref(prerenderedPath, undefined),
    routeAt,
    async load(path) {
      const route = routeAt(path);
      if (route.hasFailed) Object.assign(route, { hasFailed: false, pending: undefined }); // another try
      await fetchParts(route).catch(() => undefined);
    },
  };
}

/** Returns the parts of a path between its slashes. One slash at the end counts for nothing. */
const toSteps = (path: string): string[] => path.replace(/\/$/, '').split('/');

/** Returns whether a path has the steps of a route, of which those with a `$` stand for any text. */
const isMatch = (pattern: readonly string[], steps: readonly string[]): boolean =>
  pattern.length === steps.length &&
  pattern.every((part, i) => (part.startsWith('$') ? steps[i] !== '' : part === steps[i]));

/** A page's code did not arrive. */
class MissingCode extends Error {}

/** Fetches a page's code once. */
function fetchParts(route: FetchedRoute): Promise<PageParts> {
  route.pending ??= route.load().then(
    (parts) => {
      route.parts = parts;
      return parts;
    },
    (cause) => {
      route.hasFailed = true;
      throw new MissingCode('The code of a page did not arrive', { cause });
    },
  );
  return route.pending;
}

interface PagesProps {
  readonly router: Router;
  /** Stands for a page that is long in coming. */
  readonly Loading: ComponentType;
  /** Stands for a page whose code is missing, or that threw. */
  readonly Failure: ComponentType;
  /** Stands beside every page. */
  readonly children?: ReactNode;
}

/** The page at the address, and what stands beside it. */
export function Pages({ router, Loading, Failure, children }: PagesProps) {
  const { history, renderedAddress, routeAt } = router;
  const address = useSyncExternalStore(
    history.subscribe,
    () => history.location,
    () => renderedAddress,
  );
  // The page before is shown until the code of the next one is here; where it is, nothing is typed into the wrong page.
  const later = useDeferredValue(address);
  const current = routeAt(address.pathname).parts ? address : later;
  const isSlow = useIsLong(current !== address);
  useScroll(current);

  const route = routeAt(current.pathname);
  const next = routeAt(address.pathname);
  const isSameFrame = route.parts?.Frame !== undefined && route.Pending === next.Pending;
  return (
    <NavigationContext value={router}>
      <AddressContext value={current}>
        <Failures path={current.pathname} Failure={Failure}>
          <Suspense fallback={<Loading />}>
            {isSlow && next !== route && !isSameFrame ? (
              <Loading />
            ) : (
              <RoutePage route={route} Instead={isSlow && next !== route ? route.Pending : undefined} />
            )}
          </Suspense>
        </Failures>
        {children}
      </AddressContext>
    </NavigationContext>
  );
}

function RoutePage({ route, Instead }: { route: FetchedRoute; Instead: ComponentType | undefined }) {
  const { Page, Frame } = route.parts ?? use(fetchParts(route));
  const content = Instead ? <Instead /> : <Page />;
  return Frame ? <Frame>{content}</Frame> : content;
}

/** Returns whether something has been going on for long. */
function useIsLong(isGoingOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(() => setIsLong(true), PENDING_MS);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isGoingOn]);
  return isGoingOn && isLong;
}

/**
 * Scrolls to the top of another page, or to the part of it that the address names. The document says which page it
 * shows, for what is not part of it: a test, a style.
 */
function useScroll(address: RouterHistory['location']): void {
  const last = useRef(address);
  useLayoutEffect(() => {
    document.documentElement.dataset.path = address.pathname;
    const from = last.current;
    last.current = address;
    if (from === address) return;
    const part = address.hash && document.getElementById(address.hash.slice(1));
    if (part) part.scrollIntoView();
    else if (from.pathname !== address.pathname) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [address]);
}

interface FailuresProps extends Pick<PagesProps, 'Failure' | 'children'> {
  /** Another path is another try. */
  readonly path: string;
}

interface FailuresState {
  readonly path: string;
  readonly hasFailed: boolean;
}

class Failures extends Component<FailuresProps, FailuresState> {
  override state: FailuresState = { path: this.props.path, hasFailed: false };

  static getDerivedStateFromError(): Partial<FailuresState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ path }: FailuresProps, state: FailuresState): FailuresState | null {
    return path === state.path ? null : { path, hasFailed: false };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof MissingCode) reloadOnce();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <this.props.Failure /> : this.props.children;
  }
}

const RELOADED = 'reloadedForCode';

/** Loads the page anew, once in this tab: its code has other names after a new version was put up. */
function reloadOnce(): void {
  try {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED) !== null) return;
    sessionStorage.setItem(RELOADED, location.href);
    location.reload();
  } catch {
    // Without storage, the page says what happened.
  }
}

/** Resolves when the first page can be shown, or when it is long in coming. */
export function loadFirst({ history, load }: Router): Promise<void> {
  return Promise.race([
    load(toPath(history.location.href)),
    new Promise<void>((resolve) => setTimeout(resolve, PENDING_MS)),
  ]);
}
