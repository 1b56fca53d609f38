import { vi } from 'vitest'

/** Runs without the lines that it logs; returns them. */
export const captureLog = async (run: () => Promise<void>): Promise<string[]> => {
  const logged: string[] = []
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of spies) spy.mockImplementation((line: string) => void logged.push(line))
  await run().finally(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return logged
}
