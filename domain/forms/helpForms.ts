import * as v from 'valibot'
import { HELP_TOPICS, MAX_HELP_LENGTH } from '../help/helpCase'
import { requiredText, type FieldMessage } from './fieldSchemas'

/** The office's answer to a question about a booking. */
export const helpAnswerForm = v.object({ text: requiredText(MAX_HELP_LENGTH) })

const topicMissing: FieldMessage = 'help_topic_missing'
/** A customer's question about an ended booking. */
export const helpQuestionForm = v.object({
  topic: v.picklist(HELP_TOPICS, topicMissing),
  ...helpAnswerForm.entries,
})
export type HelpQuestion = v.InferOutput<typeof helpQuestionForm>
