// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConditionalOrder} from "./ConditionalOrder.sol";

interface Token {
    function balanceOf(address account) external view returns (uint256);
}

/// Sells the owner's whole balance when it reaches a threshold, at any price.
contract TradeAboveThreshold is ConditionalOrder {
    struct Data {
        address sellToken;
        address buyToken;
        address receiver;
        /// length of the period at whose end the order ends, seconds
        uint32 validityBucketSeconds;
        uint256 threshold;
        bytes32 appData;
    }

    function getTradeableOrder(address owner, address, bytes32, bytes calldata staticInput, bytes calldata)
        public
        view
        override
        returns (Order memory)
    {
        Data memory data = abi.decode(staticInput, (Data));
        uint256 balance = Token(data.sellToken).balanceOf(owner);
        if (balance < data.threshold) revert PollTryNextBlock("balance insufficient");
        return Order({
            sellToken: data.sellToken,
            buyToken: data.buyToken,
            receiver: data.receiver,
            sellAmount: balance,
            buyAmount: 1,
            validTo: endOfPeriod(data.validityBucketSeconds),
            appData: data.appData,
            feeAmount: 0,
            kind: KIND_SELL,
            partiallyFillable: false,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }
}
