/**
 * The parts of fauxqs that the local queues are made of: its queues, and its answers to the calls of SQS that need no
 * change here. The package exports only its whole server, which listens on every address of the machine and serves SNS
 * and S3 besides, so that its modules are imported by their paths. The version is fixed in package.json.
 */

export { SqsError } from "../../node_modules/fauxqs/dist/common/errors.js";
export type { PersistenceManager } from "../../node_modules/fauxqs/dist/persistence.js";
export { changeMessageVisibility } from "../../node_modules/fauxqs/dist/sqs/actions/changeMessageVisibility.js";
export { changeMessageVisibilityBatch } from "../../node_modules/fauxqs/dist/sqs/actions/changeMessageVisibilityBatch.js";
export { deleteMessage } from "../../node_modules/fauxqs/dist/sqs/actions/deleteMessage.js";
export { deleteMessageBatch } from "../../node_modules/fauxqs/dist/sqs/actions/deleteMessageBatch.js";
export { getQueueAttributes } from "../../node_modules/fauxqs/dist/sqs/actions/getQueueAttributes.js";
export { listQueues } from "../../node_modules/fauxqs/dist/sqs/actions/listQueues.js";
export { purgeQueue } from "../../node_modules/fauxqs/dist/sqs/actions/purgeQueue.js";
export { receiveMessage } from "../../node_modules/fauxqs/dist/sqs/actions/receiveMessage.js";
export { type SqsQueue, SqsStore } from "../../node_modules/fauxqs/dist/sqs/sqsStore.js";
export type {
  MessageAttributeValue,
  ReceivedMessage,
  SqsMessage,
} from "../../node_modules/fauxqs/dist/sqs/sqsTypes.js";
export { ALL_ATTRIBUTE_NAMES } from "../../node_modules/fauxqs/dist/sqs/sqsTypes.js";
