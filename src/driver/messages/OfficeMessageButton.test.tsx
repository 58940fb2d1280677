import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ServiceError } from '~/src/services/services'
import { renderDriverApp } from '../testing/renderDriverApp'

test('a driver writes to the office with one touch', async () => {
  const sent: unknown[] = []
  const { user } = await renderDriverApp({
    handlers: {
      send_office_message: ({ message_id, ...message }: { message_id: string }) => {
        sent.push(message)
        return { message_id, sent: 1, done: true }
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Message the office' }))
  await user.click(await screen.findByRole('button', { name: 'Please call me.' }))
  expect(await screen.findByText('The office has your message.')).toBeInTheDocument()
  expect(sent).toEqual([{ text: 'Please call me.' }])
})

test('a refused message stays in its field', async () => {
  const { user } = await renderDriverApp({
    handlers: {
      send_office_message: () => {
        throw new ServiceError('invalid-argument', 'link_not_allowed', '', { field: 'text' })
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Message the office' }))
  const field = await screen.findByLabelText('Message')
  await user.type(field, 'See evil.example')
  await user.click(screen.getByRole('button', { name: 'Send message' }))
  await waitFor(() => expect(field).toHaveAttribute('aria-invalid', 'true'))
  expect(field).toHaveValue('See evil.example')
})
