/** The address in the browser: what it says, and the links and calls that change it. */
import type { HistoryLocation, RouterHistory } from '@tanstack/history';
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';

export interface Navigation {
  readonly history: RouterHistory;
  /** Fetches the code of the page at a path. Never rejects: the page itself says when it is missing. */
  load(path: string): Promise<void>;
}

export const NavigationContext = createContext<Navigation | undefined>(undefined);

/** The address of the page that is shown. It lags behind the browser's while the next page is being fetched. */
export const AddressContext = createContext<HistoryLocation | undefined>(undefined);

function useNavigation(): Navigation {
  return inContext(useContext(NavigationContext));
}

/** Returns the address of the page. */
export function useAddress(): HistoryLocation {
  return inContext(useContext(AddressContext));
}

/** Returns the parameters of the page's address, as text. Of a parameter that stands there twice, the last counts. */
export function useSearchParams(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(useAddress().search));
}

/** Returns whether the page before this one was of the app, too. */
export function useCanGoBack(): boolean {
  return useAddress().state.__TSR_index > 0;
}

function inContext<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Addresses and links need a <Router> above them');
  return value;
}

/** A place in the app. */
export interface Place {
  /** A path, which may have parameters of its own where there is no `search`. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** Without the `#`. */
  readonly hash?: string;
}

export function toHref({ to, search = {}, hash }: Place): string {
  const params = String(new URLSearchParams(search));
  return `${to}${params && `?${params}`}${hash ? `#${hash}` : ''}`;
}

export type Target = Place & { readonly replace?: boolean };

/** Returns the function that leads to a place. It resolves when the page's code has been fetched. */
export function useNavigate(): (target: Target) => Promise<void> {
  const navigation = useNavigation();
  return useCallback((target) => go(navigation, target), [navigation]);
}

function go({ history, load }: Navigation, { replace, ...place }: Target): Promise<void> {
  const href = toHref(place);
  // As a browser does: a link to where one is adds no step to go back by.
  history[replace || href === history.location.href ? 'replace' : 'push'](href);
  return load(toPath(href));
}

/** Returns the path of an address. */
export function toPath(href: string): string {
  return href.replace(/[?#].*/s, '');
}

export type LinkProps = Place &
  Omit<ComponentProps<'a'>, 'href' | 'onPointerEnter' | 'onFocus'> & {
    /** Only the very path counts as the current page, and none below it. */
    readonly isExact?: boolean;
  };

/** A link to a page of this app. Its code is fetched as soon as somebody points at it or focuses it. */
export function Link({ to, search, hash, isExact = false, onClick, ...rest }: LinkProps) {
  const navigation = useNavigation();
  const address = useAddress();
  const place = { to, search, hash };
  const fetchCode = () => void navigation.load(toPath(to));

  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const isOurs = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isOurs || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    void go(navigation, place);
  }

  return (
    <a
      aria-current={isCurrent(place, address, isExact) ? 'page' : undefined}
      {...rest}
      href={toHref(place)}
      onClick={follow}
      onPointerEnter={fetchCode}
      onFocus={fetchCode}
    />
  );
}

/** Returns whether a link leads to the page at `address`, or to one above it. */
export function isCurrent({ to, search = {} }: Place, address: HistoryLocation, isExact: boolean): boolean {
  const path = address.pathname.replace(/(.)\/$/, '$1');
  const params = new URLSearchParams(address.search);
  return (
    (path === to || (!isExact && path.startsWith(`${to}/`))) &&
    Object.entries(search).every(([name, value]) => params.get(name) === value)
  );
}

/**
 * Asks before the person leaves a page on which something would be lost: by a link, by Back, or by closing the tab,
 * where the browser asks. `isAsking` is true while somebody waits to leave.
 */
export function useLeaveQuestion(isOn: boolean): { readonly isAsking: boolean; answer(isLeaving: boolean): void } {
  const { history } = useNavigation();
  const [question, setQuestion] = useState<(isBlocked: boolean) => void>();
  useEffect(() => {
    if (!isOn) return;
    return history.block({
      enableBeforeUnload: true,
      blockerFn: ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname &&
        new Promise<boolean>((resolve) => setQuestion(() => resolve)),
    });
  }, [history, isOn]);
  return {
    isAsking: question !== undefined,
    answer(isLeaving) {
      setQuestion(undefined);
      question?.(!isLeaving);
    },
  };
}
