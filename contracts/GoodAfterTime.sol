// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConditionalOrder} from "./ConditionalOrder.sol";

interface Token {
    function balanceOf(address account) external view returns (uint256);
}

interface ExpectedOut {
    function getExpectedOut(uint256 sellAmount, address sellToken, address buyToken, bytes calldata data)
        external
        view
        returns (uint256);
}

/// Sells between two times; the buy amount comes with each evaluation (`offchainInput`), at least a price checker's.
contract GoodAfterTime is ConditionalOrder {
    struct Data {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        /// the owner must hold this much, so that a filled order does not repeat
        uint256 minSellBalance;
        uint256 startTime;
        uint256 endTime;
        bool allowPartialFill;
        /// encoded `PriceChecker`; empty: no check
        bytes priceCheckerPayload;
        bytes32 appData;
    }

    struct PriceChecker {
        ExpectedOut checker;
        bytes payload;
        /// 1/10000
        uint256 allowedSlippage;
    }

    function getTradeableOrder(address owner, address, bytes32, bytes calldata staticInput, bytes calldata offchainInput)
        public
        view
        override
        returns (Order memory)
    {
        Data memory data = abi.decode(staticInput, (Data));
        if (block.timestamp < data.startTime) revert PollTryAtEpoch(data.startTime, "too early");
        if (Token(data.sellToken).balanceOf(owner) < data.minSellBalance) revert OrderNotValid("balance insufficient");
        uint256 buyAmount = abi.decode(offchainInput, (uint256));
        if (data.priceCheckerPayload.length > 0) {
            PriceChecker memory price = abi.decode(data.priceCheckerPayload, (PriceChecker));
            uint256 expected =
                price.checker.getExpectedOut(data.sellAmount, data.sellToken, data.buyToken, price.payload);
            if (buyAmount < expected * (10_000 - price.allowedSlippage) / 10_000) {
                revert PollTryNextBlock("price checker failed");
            }
        }
        return Order({
            sellToken: data.sellToken,
            buyToken: data.buyToken,
            receiver: data.receiver,
            sellAmount: data.sellAmount,
            buyAmount: buyAmount,
            validTo: uint32(data.endTime),
            appData: data.appData,
            feeAmount: 0,
            kind: KIND_SELL,
            partiallyFillable: data.allowPartialFill,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }
}
