/** Credentials of the simulated providers: these keys are public. */
export const sinkSettings = {
  emailApiKey: 're_local',
  emailFrom: 'edgebook <notifications@edgebook.test>',
  telegramBotToken: '1:local',
  telegramBotName: 'edgebook_local_bot',
  telegramWebhookSecret: 'local-telegram-webhook',
  vapid: {
    publicKey: 'BFlWnSEMx-1-jjwEHSQsLcLmuJdNwgLEfMnCC7ITit_J5Xgt5qhVUkqDufFn5erfyjct_bRaos62AX1HZ_xk1P0',
    privateKey: 'sfqiNAGs9Rk9Tx6Lj5zP_nZulc776F251upYpvnGnAU',
    subject: 'mailto:push@edgebook.test',
  },
} as const
