import type { DeliveryTarget, Message } from '../../../functions/notifier/channels/channel.ts'

export const newMessage = (changes: Partial<Message> = {}): Message => ({
  id: 'notification-7-1',
  type: 'order_filled',
  timestamp: '2026-11-01T00:00:00.000Z',
  title: 'Order filled',
  text: 'Your order sold 1 <A&B> for 3 "TKN".',
  link: { label: 'The order', url: 'https://book.example/orders/1?a=1&b=2' },
  tag: 'notification-7',
  data: { id: '7' },
  ...changes,
})

export const newTarget = (address: string, changes: Partial<DeliveryTarget> = {}): DeliveryTarget => ({
  id: '11111111-2222-4333-8444-555555555555',
  address,
  pushKeys: null,
  secret: null,
  unsubscribeToken: 'token',
  ...changes,
})
