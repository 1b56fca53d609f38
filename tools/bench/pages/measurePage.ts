import type { Browser, BrowserContext, Page } from 'playwright-core'
import { findAxeViolations } from '../../browser/findAxeViolations.ts'
import { findWideElements } from '../../browser/findWideElements.ts'

export type PageMeasures = {
  /** largest contentful paint, milliseconds */
  lcp: number
  /** cumulative layout shift: all shifts without input, at least the CLS of the page */
  cls: number
  /** what else is wrong: requests of other origins, horizontal overflow, violations of axe-core */
  findings: string[]
}

type Options = {
  url: string
  /** CSS pixels */
  width: number
  isDark: boolean
}

const height = 900
const patienceMs = 60_000
/** Content that arrives later may move the page, too. */
const quietMs = 1_000

/** Loads a page with an empty cache, as a first visitor does. */
export const measurePage = async (browser: Browser, { url, width, isDark }: Options): Promise<PageMeasures> => {
  const colorScheme = isDark ? 'dark' : 'light'
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  try {
    return await measure(context, url)
  } finally {
    await context.close()
  }
}

const measure = async (context: BrowserContext, url: string): Promise<PageMeasures> => {
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const foreign = new Set<string>()
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && origin !== new URL(url).origin) foreign.add(`requests ${origin}`)
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.locator('.page, .trade, .opblock').first().waitFor()
  await page.locator('[aria-busy=true], .loading, .skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(quietMs)
  const { lcp, cls } = await readPaints(page)
  const wide = await findWideElements(page)
  return { lcp, cls, findings: [...foreign, ...wide, ...(await findAxeViolations(page))] }
}

const readPaints = (page: Page): Promise<{ lcp: number; cls: number }> =>
  page.evaluate(`new Promise((resolve) => {
    const paints = { lcp: 0, cls: 0 }
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.entryType === 'largest-contentful-paint') paints.lcp = entry.startTime
        else if (!entry.hadRecentInput) paints.cls += entry.value
      }
    })
    for (const type of ['largest-contentful-paint', 'layout-shift']) observer.observe({ type, buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(paints))))
  })`)
