import { addAdminCredit } from '~/domain/money/wallet'
import { adjustWallet } from '../../services/wallet/adjusting'
import { defineUserEndpoint } from '../../http/endpointTypes'

/** Credits a user's wallet manually. */
export const add_to_wallet = defineUserEndpoint({
  name: 'add_to_wallet',
  summary:
    "Credits a wallet (txRef AdminCredit). `credit_id` is the client's own push key: repeating it credits nothing more.",
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['no_details_error', 'changed_meanwhile'],
  fieldErrors: { uid: 'no_details_error', amount: 'no_details_error' },
  handle: ({ credit_id, ...input }, context) =>
    adjustWallet(
      {
        id: credit_id,
        ...input,
        action: 'wallet_credit',
        suffix: 'admin',
        decide: addAdminCredit,
      },
      context,
    ),
})
