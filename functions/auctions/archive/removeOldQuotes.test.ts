import { expect, test, vi } from 'vitest'
import { removeOldQuotes } from './removeOldQuotes.ts'

test('deletes quotes that are older than the setting, a bounded number at once', async () => {
  const asked: [Date, number][] = []
  await removeOldQuotes({
    now: () => Date.UTC(2026, 0, 8),
    retentionDays: 7,
    deleteOldQuotes: async (...args) => {
      asked.push(args)
      return 0
    },
  })
  expect(asked).toEqual([[new Date(Date.UTC(2026, 0, 1)), 5_000]])
})

test('a failure is logged and does not stop the watchdog that calls it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const deleteOldQuotes = () => Promise.reject(new Error('connection lost'))
  await removeOldQuotes({ now: () => 0, retentionDays: 7, deleteOldQuotes })
  expect(logged.mock.calls).toEqual([[expect.stringContaining('connection lost')]])
  logged.mockRestore()
})
