import { expect, test, vi } from 'vitest'
import { removeOld } from './removeOld.ts'

test('a failure is logged and does not stop the watchdog that calls it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await removeOld('old quotes', () => Promise.reject(new Error('connection lost')))
  expect(logged.mock.calls).toEqual([[expect.stringContaining('connection lost')]])
  logged.mockRestore()
})
