import { expect, test } from 'vitest'
import { channelNames, describeMissingChannels } from './channelTexts.ts'

test('names the channels that a deployment lacks', () => {
  expect(describeMissingChannels(channelNames)).toBeNull()
  expect(describeMissingChannels(['webhook', 'email'])).toBe('Not configured on this deployment: Browser and Telegram.')
})
