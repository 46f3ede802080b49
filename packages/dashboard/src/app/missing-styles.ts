/** The loader asks for each style sheet once, whether it arrives or not: those that did not arrive are asked for again here. */
export interface MissingStyles {
  /** Resolves when all that was missing is there, or has failed again. */
  load(): Promise<void>;
}

function createMissingStyles(): MissingStyles {
  /** By address: several pages that wait ask at the same time. */
  const loading = new Map<string, Promise<void>>();
  const loadOnce = (link: HTMLLinkElement) => {
    const { href } = link;
    const known = loading.get(href);
    if (known !== undefined) return known;
    const started = loadAgain(link).finally(() => loading.delete(href));
    loading.set(href, started);
    return started;
  };
  return {
    async load() {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
      await Promise.all(links.filter(isMissing).map(loadOnce));
    },
  };
}

/** Those of this page. */
export const missingStyles = createMissingStyles();

/** One that failed has no sheet, or one of an error, whose rules nobody may read. */
function isMissing({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet === null || sheet.cssRules === null;
  } catch {
    return true;
  }
}

/** The old link stays until then: it may be on its way, and a page wait for it. */
function loadAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    const again = document.createElement("link");
    again.rel = "stylesheet";
    again.href = link.href;
    const end = (other: HTMLLinkElement) => {
      other.remove();
      resolve();
    };
    again.onload = () => end(link);
    // A page without its styles is better than none.
    again.onerror = () => end(again);
    link.after(again);
  });
}
