import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

export type Picture = {
  /** file name without extension */
  name: string
  url: string
  /** brings the page into its state for the picture */
  prepare: (page: Page) => Promise<void>
  /** selects the last element of the picture */
  until: string
}

/** By the end of the file name. */
const looks = { '': 'light', '-dark': 'dark' } as const
/** Of the window, pixels. */
const [width, height] = [1_280, 800]
/** Every reader of the README loads a picture. */
const maxBytes = 300 * 1_024
/** Margin below the last element, pixels. */
const margin = 12

/**
 * Takes the pictures of a page: `<name>.png` and `<name>-dark.png`.
 * @throws Error when a page logs an error, or a picture is too large
 */
export const takePicture = async (
  browser: Browser,
  { name, url, prepare, until }: Picture,
  folder: string,
): Promise<void> => {
  for (const [look, colorScheme] of Object.entries(looks)) {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => void errors.push(message))
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(url)
    await prepare(page)
    const resize = async (end: number) => {
      await page.setViewportSize({ width, height: Math.max(height, end) })
      return (await findEnd(page, until)) + margin
    }
    // panels may depend on the height of the window
    const end = await resize(await resize((await findEnd(page, until)) + margin))
    const picture = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      clip: { x: 0, y: 0, width, height: end },
    })
    await context.close()
    if (errors.length > 0) throw new Error(`${url}: ${errors.join('; ')}`)
    if (picture.length > maxBytes) throw new Error(`${name} has ${picture.length} bytes; the limit is ${maxBytes}`)
    await writeFile(join(folder, `${name}${look}.png`), picture)
  }
}

/** Pixels from the top of the page to the lower edge of the lowest matching element. */
const findEnd = async (page: Page, selector: string): Promise<number> => {
  await page.evaluate('scrollTo(0, 0)')
  const boxes = await Promise.all((await page.locator(selector).all()).map((element) => element.boundingBox()))
  const ends = boxes.flatMap((box) => (box ? [box.y + box.height] : []))
  if (ends.length === 0) throw new Error(`${page.url()} has no ${selector}`)
  return Math.ceil(Math.max(...ends))
}
