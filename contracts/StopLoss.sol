// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ConditionalOrder} from "./ConditionalOrder.sol";

interface Oracle {
    function decimals() external view returns (uint8);
    function latestRoundData() external view returns (uint80, int256 price, uint256, uint256 updatedAt, uint80);
}

/// Trades when the price of the sell token in the buy token is at most the strike.
contract StopLoss is ConditionalOrder {
    struct Data {
        address sellToken;
        address buyToken;
        uint256 sellAmount;
        uint256 buyAmount;
        bytes32 appData;
        address receiver;
        bool isSellOrder;
        bool isPartiallyFillable;
        /// length of the period at whose end the order ends, seconds
        uint32 validityBucketSeconds;
        /// prices of both tokens in one currency
        Oracle sellTokenPriceOracle;
        Oracle buyTokenPriceOracle;
        /// 18 decimals
        int256 strike;
        /// seconds
        uint256 maxTimeSinceLastOracleUpdate;
    }

    function getTradeableOrder(address, address, bytes32, bytes calldata staticInput, bytes calldata)
        public
        view
        override
        returns (Order memory)
    {
        Data memory data = abi.decode(staticInput, (Data));
        int256 sellPrice = readPrice(data.sellTokenPriceOracle, data.maxTimeSinceLastOracleUpdate);
        int256 buyPrice = readPrice(data.buyTokenPriceOracle, data.maxTimeSinceLastOracleUpdate);
        if (sellPrice * 1e18 / buyPrice > data.strike) revert PollTryNextBlock("strike not reached");
        return Order({
            sellToken: data.sellToken,
            buyToken: data.buyToken,
            receiver: data.receiver,
            sellAmount: data.sellAmount,
            buyAmount: data.buyAmount,
            validTo: endOfPeriod(data.validityBucketSeconds),
            appData: data.appData,
            feeAmount: 0,
            kind: data.isSellOrder ? KIND_SELL : KIND_BUY,
            partiallyFillable: data.isPartiallyFillable,
            sellTokenBalance: BALANCE_ERC20,
            buyTokenBalance: BALANCE_ERC20
        });
    }

    /// @return price 18 decimals
    function readPrice(Oracle oracle, uint256 maxAge) private view returns (int256 price) {
        uint256 updatedAt;
        (, price,, updatedAt,) = oracle.latestRoundData();
        if (price <= 0) revert OrderNotValid("oracle invalid price");
        if (updatedAt + maxAge < block.timestamp) revert OrderNotValid("oracle stale price");
        uint8 decimals = oracle.decimals();
        if (decimals <= 18) return price * int256(10 ** (18 - decimals));
        return price / int256(10 ** (decimals - 18));
    }
}
