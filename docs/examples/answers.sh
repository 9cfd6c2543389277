# Makes every answer of a running `npm start`, for a POSIX shell in the directory of the project:
#   . docs/examples/answers.sh
#   answers                                  lists them, each with its command
#   answer get-pass 410                      makes one, by its status or its code
#   answer get-transaction service_disabled
# `data` is the data directory of the `npm start`.

data=${data-.countinghouse}
ops() { npm run --silent ops -- "$@"; }
demo() { node -p "require(require('path').resolve('$data/demo.json')).$1"; }
fault() { ops demo fault "$@" --data "$data"; }
get() { to=$1; shift; curl -sSi "$@" "$(demo baseUrl)$to"; }
bearer() { get "$1" -H "Authorization: Bearer ${token-$(demo business.token)}"; }
transaction() { bearer "/transaction/${1-$(demo business.transactionId)}"; }
transactions() { bearer "/transactions?${1-count=2}"; }
order() { get "/sell-orders/${1-$(demo ramp.orderId)}" -H "X-API-KEY: ${key-$(demo ramp.apiKey)}" --max-time "${wait-60}"; }
order_with() { fault get-sell-order "$@" --times 1; order; }
pass() {
  get "/passes/${1-$(demo passes.partnerReference)}" -H "Authorization: Bearer ${token-$(demo passes.token)}" \
    -H "$(demo passes.versionHeader): ${version-$(demo passes.version)}" -H "If-None-Match: ${tag-}"
}
tag_of() { pass | sed -n 's/^etag: \(.*\).$/\1/p'; }
trades() {
  url="$(demo baseUrl)/1.0/trades/all/${symbol-BTC-USD}?${1-limit=2}"
  curl -sSi "$url" $(ops sign GET "$url" --data "$data" --api-key "${key-$(demo exchange.apiKey)}" \
    --private-key "$(demo exchange.privateKeyFile)" --curl-options --signed-at "${at-$(now)}")
}
now() { node -p "Date.now() + 1000 * ${1-0}"; }
# A switch takes effect within five seconds, in both directions.
while_off() {
  ops switch "$1" off --reason "a trial" --data "$data"
  until seen=$("$2"); case $seen in *service_disabled*) true ;; *) false ;; esac; do sleep 1; done
  ops switch "$1" on --data "$data"
  echo "$seen"
}

of_every() { # the answers that each endpoint has: its name, and its command for a 200
  cat <<END
$1|200|$2
$1|429 rate_limited|fault $1 429 --times 1; $2
$1|500 internal_error|fault $1 500 --times 1; $2
$1|503 temporarily_unavailable|fault $1 503 --times 1; $2
$1|503 service_disabled|while_off $1 $2
END
}

answers() {
  of_every get-transaction transaction
  of_every list-transactions transactions
  of_every get-pass pass
  of_every list-trades trades
  of_every get-sell-order order
  cat <<'END'
get-transaction|400 validation_error|transaction "1?id_type=other"
get-transaction|401 invalid_credentials|token=none transaction
get-transaction|403 insufficient_scope|token=$(demo business.noScopeToken) transaction
get-transaction|404 not_found|transaction "$(demo business.otherTransactionId)"
list-transactions|400 validation_error|transactions status=completed
list-transactions|400 invalid_cursor|transactions cursor=AQ
list-transactions|401 invalid_credentials|token=none transactions
list-transactions|403 insufficient_scope|token=$(demo business.noScopeToken) transactions
get-pass|304|tag=$(tag_of) pass
get-pass|400 unsupported_version|version=2020-01-01 pass
get-pass|401 invalid_credentials|token=none pass
get-pass|403 insufficient_scope|token=$(demo passes.noScopeToken) pass
get-pass|404 not_found|pass nobody
get-pass|410 gone|pass "$(demo passes.voidReference)"
list-trades|400 validation_error|trades start_date=1795554000
list-trades|400 invalid_cursor|trades cursor=AQ
list-trades|400 unknown_symbol|symbol=BTCUSD trades
list-trades|401 invalid_credentials|at=$(now -60) trades
list-trades|403 insufficient_scope|key=$(demo exchange.noScopeApiKey) trades
list-trades|409 timestamp_in_future|at=$(now 60) trades
get-sell-order|400 validation_error|order 1
get-sell-order|401 invalid_credentials|key=none order
get-sell-order|404 not_found|order "$(demo ramp.otherOrderId)"
gateway|400 Bad Request|get /sell-orders/%
gateway|403 Forbidden|get /orders -H "Host: api.example.com"
gateway|404 Not Found|get /orders
gateway|408 Request Timeout|order_with gateway-408
gateway|413 Request Entity Too Large|order_with gateway-413
gateway|417 Expectation Failed|get /orders -H "Expect: more"
gateway|429 Too Many Requests|order_with gateway-429
gateway|431 Request Header Fields Too Large|key=$(node -p "'k'.repeat(10240)") order
gateway|500 Internal Server Error|order_with gateway-500
gateway|503 Service Unavailable|order_with gateway-503
connection|28 no answer in time|wait=1 order_with timeout
connection|18 half of a body|order_with cut
connection|56 a reset|order_with reset
connection|200 late|order_with slow --by 500ms
END
}

answer() {
  row=$(answers | awk -F'|' -v of="$1" -v one="$2" '$1 == of && index(" " $2 " ", " " one " ") { print; exit }')
  [ -n "$row" ] || { echo "There is no such answer: answers lists them." >&2; return 2; }
  (eval "${row##*|}")
}
